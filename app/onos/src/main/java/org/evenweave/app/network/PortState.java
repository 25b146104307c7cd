package org.evenweave.app.network;

import java.util.Objects;

/** What the engine was told of a port. */
final class PortState {
  /** A port that is not there, or not any more. */
  static final PortState GONE = new PortState(false, 0);

  final boolean up;
  final long speedBps;

  PortState(boolean up, long speedBps) {
    this.up = up;
    this.speedBps = speedBps;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PortState
        && ((PortState) other).up == up
        && ((PortState) other).speedBps == speedBps;
  }

  @Override
  public int hashCode() {
    return Objects.hash(up, speedBps);
  }
}
