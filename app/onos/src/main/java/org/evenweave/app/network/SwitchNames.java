package org.evenweave.app.network;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.onosproject.net.DeviceId;

/** Maps ONOS devices to the engine's switch ids and back; OpenFlow devices only. */
public final class SwitchNames {
  private static final String OPENFLOW = "of";
  private static final int HEX = 16;

  private final LongFunction<String> switchIdOf;
  private final Map<String, DeviceId> deviceOf = new ConcurrentHashMap<>();

  /**
   * @param switchIdOf OpenFlow datapath id to the engine's name of the switch
   */
  public SwitchNames(LongFunction<String> switchIdOf) {
    this.switchIdOf = switchIdOf;
  }

  /** Whether the engine can program the device. */
  public static boolean isSwitch(DeviceId device) {
    return OPENFLOW.equals(device.uri().getScheme());
  }

  /** The name of a switch, which {@link #device} resolves from then on. */
  public String nameOf(DeviceId device) {
    long datapathId = Long.parseUnsignedLong(device.uri().getSchemeSpecificPart(), HEX);
    String name = switchIdOf.apply(datapathId);
    deviceOf.put(name, device);
    return name;
  }

  /**
   * The device of a switch.
   *
   * @throws IllegalArgumentException if {@link #nameOf} never returned that name
   */
  public DeviceId device(String switchId) {
    DeviceId device = deviceOf.get(switchId);
    if (device == null) {
      throw new IllegalArgumentException("no device is the switch " + switchId);
    }
    return device;
  }
}
