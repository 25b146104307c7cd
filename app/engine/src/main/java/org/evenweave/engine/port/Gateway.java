package org.evenweave.engine.port;

/** The fabric as hosts see it: one router with one MAC address on every subnet. */
public final class Gateway {
  /** Locally administered, unicast; the same on every switch so that hosts may move. */
  public static final long MAC = 0x02_45_56_57_00_01L;

  private Gateway() {}
}
