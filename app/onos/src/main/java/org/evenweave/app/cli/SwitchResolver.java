package org.evenweave.app.cli;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.TreeSet;
import org.evenweave.app.api.EvenweaveService;
import org.evenweave.app.network.SwitchNames;
import org.evenweave.engine.config.EngineConfig;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceService;

/** Resolves device ids and switch ids, by the configuration, which every instance has. */
final class SwitchResolver {
  private final SwitchNames names;
  private final TreeSet<String> all = new TreeSet<>();

  SwitchResolver(EngineConfig config, DeviceService devices) {
    names = new SwitchNames(config::switchIdOf);
    for (Device device : devices.getDevices()) {
      if (SwitchNames.isSwitch(device.id())) {
        all.add(device.id().toString());
        all.add(names.nameOf(device.id()));
      }
    }
  }

  /** With the services of this instance. */
  static SwitchResolver here() {
    return new SwitchResolver(
        EvenweaveCommand.get(EvenweaveService.class).configuration().configured(),
        EvenweaveCommand.get(DeviceService.class));
  }

  /** What an operator may call a switch: ONOS's device ids and the engine's switch ids. */
  TreeSet<String> all() {
    return all;
  }

  /** The engine's switch id of a switch that is named by either. */
  String switchId(String name) {
    return all.contains(name) && name.startsWith("of:")
        ? names.nameOf(DeviceId.deviceId(name))
        : name;
  }

  /** The engine's id of a switch, or of a link by one of its ends: a switch, slash and port. */
  String elementId(String name) {
    int slash = name.lastIndexOf('/');
    return slash < 0 ? switchId(name) : switchId(name.substring(0, slash)) + name.substring(slash);
  }

  /** The device that is the engine's switch; empty if ONOS knows none. */
  Optional<DeviceId> device(String switchId) {
    return all.contains(switchId) ? Optional.of(names.device(switchId)) : Optional.empty();
  }

  /** The query that restricts a resource to one switch; empty without one. */
  String query(String name) {
    return name == null ? "" : "switch=" + encoded(switchId(name));
  }

  /** A switch id, or a link's end, as the end of a path. */
  static String encodedPath(String element) {
    return encodedSegment(element).replace("%2F", "/");
  }

  /** A name between slashes of a path. */
  static String encodedSegment(String name) {
    // A query's plus is a space, a path's is a plus.
    return encoded(name).replace("+", "%20");
  }

  /** A switch id as part of a query. */
  static String encoded(String switchId) {
    return URLEncoder.encode(switchId, StandardCharsets.UTF_8);
  }
}
