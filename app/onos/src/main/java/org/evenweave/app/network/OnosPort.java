package org.evenweave.app.network;

import java.util.Objects;

/** A port as reported to the engine. */
final class OnosPort {
  /** A port that does not exist, or no longer does. */
  static final OnosPort GONE = new OnosPort(false, 0);

  final boolean up;
  final long speedBps;

  OnosPort(boolean up, long speedBps) {
    this.up = up;
    this.speedBps = speedBps;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OnosPort
        && ((OnosPort) other).up == up
        && ((OnosPort) other).speedBps == speedBps;
  }

  @Override
  public int hashCode() {
    return Objects.hash(up, speedBps);
  }
}
