package org.evenweave.app.network;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.onosproject.net.DeviceId;

/**
 * Maps ONOS devices to the engine's switch ids and back; OpenFlow devices only. A device keeps the
 * name that it was given last, whatever the configuration calls it since.
 */
public final class SwitchNames {
  private static final String OPENFLOW = "of";
  private static final int HEX = 16;

  private final LongFunction<String> switchIdOf;
  private final Map<DeviceId, String> nameOf = new ConcurrentHashMap<>();
  private final Map<String, DeviceId> deviceOf = new ConcurrentHashMap<>();

  /**
   * @param switchIdOf OpenFlow datapath id to the switch's name in the present configuration
   */
  public SwitchNames(LongFunction<String> switchIdOf) {
    this.switchIdOf = switchIdOf;
  }

  /** Whether the engine can program the device. */
  public static boolean isSwitch(DeviceId device) {
    return OPENFLOW.equals(device.uri().getScheme());
  }

  /** The name that a switch has; the configured one, if it had none. */
  public String nameOf(DeviceId device) {
    String name = nameOf.get(device);
    return name != null ? name : rename(device);
  }

  /** Gives a switch its configured name, which {@link #device} resolves from then on. */
  public String rename(DeviceId device) {
    long datapathId = Long.parseUnsignedLong(device.uri().getSchemeSpecificPart(), HEX);
    String name = switchIdOf.apply(datapathId);
    nameOf.put(device, name);
    deviceOf.put(name, device);
    return name;
  }

  /**
   * The device of a switch.
   *
   * @throws IllegalArgumentException if no device ever had that name
   */
  public DeviceId device(String switchId) {
    return find(switchId)
        .orElseThrow(() -> new IllegalArgumentException("no device is the switch " + switchId));
  }

  /** The same; empty if no device ever had that name. */
  public Optional<DeviceId> find(String switchId) {
    return Optional.ofNullable(deviceOf.get(switchId));
  }
}
