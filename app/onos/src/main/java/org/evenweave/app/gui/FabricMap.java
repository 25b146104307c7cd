package org.evenweave.app.gui;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.evenweave.app.network.SwitchNames;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.link.LinkService;
import org.onosproject.ui.model.topo.UiLinkId;

/** Maps the engine's switches and links to those of ONOS's topology view. */
final class FabricMap {
  /** A link in one direction. */
  static final class Arc {
    private final SwitchPort from;
    private final UiLinkId id;

    private Arc(SwitchPort from, UiLinkId id) {
      this.from = from;
      this.id = id;
    }

    /** The port it leaves. */
    SwitchPort from() {
      return from;
    }

    /** The view's name of the link; it is the same for both directions. */
    String viewId() {
      return id.toString();
    }

    /** The two devices; the view draws all links between them as one line. */
    String line() {
      return id.elementA() + " " + id.elementB();
    }
  }

  private final Map<String, DeviceId> deviceOf = new TreeMap<>();
  private final Map<String, Arc> arcOf = new HashMap<>();

  /** Devices that are no OpenFlow switches, and their links, are left out. */
  FabricMap(Iterable<Device> devices, Iterable<Link> links, SwitchNames names) {
    for (Device device : devices) {
      if (SwitchNames.isSwitch(device.id())) {
        deviceOf.put(names.nameOf(device.id()), device.id());
      }
    }
    for (Link link : links) {
      if (isSwitchPort(link.src()) && isSwitchPort(link.dst())) {
        SwitchPort from = end(names, link.src());
        arcOf.put(from + "-" + end(names, link.dst()), new Arc(from, UiLinkId.uiLinkId(link)));
      }
    }
  }

  /** The present one. */
  static FabricMap now(EngineConfig config, DeviceService devices, LinkService links) {
    return new FabricMap(
        devices.getDevices(), links.getActiveLinks(), new SwitchNames(config::switchIdOf));
  }

  /** The devices by switch id. */
  Map<String, DeviceId> devices() {
    return deviceOf;
  }

  /** The switch id of a switch that is named by it or by its device id; what is neither stays. */
  String switchId(String name) {
    return deviceOf.entrySet().stream()
        .filter(entry -> entry.getValue().toString().equals(name))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(name);
  }

  /**
   * @param link as the engine names it, in the direction of its traffic: {@code s1-0/1-s2-0/1}
   * @return empty if ONOS has no such link now
   */
  Optional<Arc> arc(String link) {
    return Optional.ofNullable(arcOf.get(link));
  }

  private static boolean isSwitchPort(ConnectPoint point) {
    return point.elementId() instanceof DeviceId && SwitchNames.isSwitch(point.deviceId());
  }

  private static SwitchPort end(SwitchNames names, ConnectPoint point) {
    return new SwitchPort(names.nameOf(point.deviceId()), (int) point.port().toLong());
  }
}
