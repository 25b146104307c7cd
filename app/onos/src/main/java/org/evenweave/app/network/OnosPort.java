package org.evenweave.app.network;

import java.util.Objects;
import org.evenweave.engine.nib.PortSettings;

/** A port as reported to the engine. */
final class OnosPort {
  /** A port that does not exist, or no longer does. */
  static final OnosPort GONE = new OnosPort(false, false, PortSettings.NONE, 0);

  /** Whether it can carry packets. */
  final boolean up;

  /** Whether nothing but its settings keeps it from being up. */
  final boolean withheld;

  final PortSettings settings;
  final long speedBps;

  OnosPort(boolean up, boolean withheld, PortSettings settings, long speedBps) {
    this.up = up;
    this.withheld = withheld;
    this.settings = settings;
    this.speedBps = speedBps;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OnosPort
        && ((OnosPort) other).up == up
        && ((OnosPort) other).withheld == withheld
        && ((OnosPort) other).settings.equals(settings)
        && ((OnosPort) other).speedBps == speedBps;
  }

  @Override
  public int hashCode() {
    return Objects.hash(up, withheld, settings, speedBps);
  }
}
