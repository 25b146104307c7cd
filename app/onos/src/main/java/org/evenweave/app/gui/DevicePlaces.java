package org.evenweave.app.gui;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.evenweave.app.cluster.OwnSettings;
import org.evenweave.app.network.SwitchNames;
import org.evenweave.engine.config.EngineConfig;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.config.basics.BasicDeviceConfig;
import org.onosproject.net.config.basics.BasicElementConfig;
import org.onosproject.net.device.DeviceService;
import org.onosproject.store.service.StorageService;

/**
 * Sets positions in ONOS's topology view for devices without one, in their network configuration,
 * and removes these again. For one instance at a time.
 */
public final class DevicePlaces {
  /** A device with one of these has a place. */
  private static final List<String> PLACING =
      List.of(
          BasicElementConfig.LOC_TYPE,
          BasicElementConfig.GRID_X,
          BasicElementConfig.GRID_Y,
          BasicElementConfig.LATITUDE,
          BasicElementConfig.LONGITUDE);

  private final NetworkConfigService configs;
  private final DeviceService devices;
  private final OwnSettings own;

  public DevicePlaces(NetworkConfigService configs, DeviceService devices, StorageService storage) {
    this.configs = configs;
    this.devices = devices;
    this.own = new OwnSettings(storage, "evenweave-places");
  }

  /** Places the switches of the configured fabric that are in ONOS and have no place. */
  public void place(EngineConfig config) {
    Map<String, GridLayout.Place> places = GridLayout.of(config.intended());
    SwitchNames names = new SwitchNames(config::switchIdOf);
    for (Device device : devices.getDevices()) {
      GridLayout.Place place =
          SwitchNames.isSwitch(device.id()) ? places.get(names.nameOf(device.id())) : null;
      ObjectNode basic = basic(device.id());
      if (place != null && PLACING.stream().noneMatch(basic::has) && !isOnAMap(device)) {
        basic.put(BasicElementConfig.LOC_TYPE, BasicElementConfig.LOC_TYPE_GRID);
        basic.put(BasicElementConfig.GRID_X, place.x()).put(BasicElementConfig.GRID_Y, place.y());
        own.made(device.id().toString(), place.toString());
        configs.applyConfig(device.id(), BasicDeviceConfig.class, basic);
      }
    }
  }

  /** By an annotation, which is the operator's other way to place a device. */
  private static boolean isOnAMap(Device device) {
    return device.annotations() != null
        && device.annotations().keys().contains(BasicElementConfig.LATITUDE);
  }

  /** Takes the places back that the operator has not changed since. */
  public void takeBack() {
    own.all().forEach((device, place) -> takeBack(DeviceId.deviceId(device), place));
  }

  private void takeBack(DeviceId device, String place) {
    ObjectNode basic = basic(device);
    GridLayout.Place present =
        new GridLayout.Place(
            basic.path(BasicElementConfig.GRID_X).asDouble(),
            basic.path(BasicElementConfig.GRID_Y).asDouble());
    boolean onGrid =
        BasicElementConfig.LOC_TYPE_GRID.equals(basic.path(BasicElementConfig.LOC_TYPE).asText());
    if (onGrid && place.equals(present.toString())) {
      basic.remove(PLACING);
      if (basic.size() == 0) {
        configs.removeConfig(device, BasicDeviceConfig.class);
      } else {
        configs.applyConfig(device, BasicDeviceConfig.class, basic);
      }
    }
    own.left(device.toString());
  }

  /** A copy of a device's basic configuration; empty if it has none. */
  private ObjectNode basic(DeviceId device) {
    BasicDeviceConfig config = configs.getConfig(device, BasicDeviceConfig.class);
    return config == null
        ? JsonNodeFactory.instance.objectNode()
        : (ObjectNode) config.node().deepCopy();
  }
}
