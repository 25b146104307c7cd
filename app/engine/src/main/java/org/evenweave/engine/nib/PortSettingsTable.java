package org.evenweave.engine.nib;

import java.util.SortedMap;
import java.util.TreeMap;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * The ports whose configuration keeps them from doing all that a port does, as their switches last
 * reported them. Not thread-safe.
 */
public final class PortSettingsTable {
  private final SortedMap<SwitchPort, PortSettings> settings = new TreeMap<>();

  /**
   * A switch has reported a port.
   *
   * @return the settings before
   */
  public PortSettings put(SwitchPort port, PortSettings now) {
    PortSettings before =
        now.equals(PortSettings.NONE) ? settings.remove(port) : settings.put(port, now);
    return before == null ? PortSettings.NONE : before;
  }

  /** A port's settings. */
  public PortSettings of(SwitchPort port) {
    return settings.getOrDefault(port, PortSettings.NONE);
  }

  /** The ports of which anything is set, in order; a copy. */
  public SortedMap<SwitchPort, PortSettings> all() {
    return new TreeMap<>(settings);
  }
}
