package org.evenweave.ovsdb;

/** An interface of a bridge, and what its row says of BFD. */
final class BfdInterface {
  final String uuid;

  /** The bridge's datapath id. */
  final long datapathId;

  final int port;

  /** Whether BFD is enabled, and the least interval to send at, in milliseconds. */
  final boolean enabled;

  final String minTx;
  final String minRx;

  /** Whether a controller has set that up, rather than somebody else. */
  final boolean ours;

  /** Whether the session is up. */
  final boolean up;

  BfdInterface(
      String uuid,
      long datapathId,
      int port,
      boolean enabled,
      String minTx,
      String minRx,
      boolean ours,
      boolean up) {
    this.uuid = uuid;
    this.datapathId = datapathId;
    this.port = port;
    this.enabled = enabled;
    this.minTx = minTx;
    this.minRx = minRx;
    this.ours = ours;
    this.up = up;
  }

  /** Whether nothing is to be done: BFD runs as wanted, or as somebody else has set it up. */
  boolean runsAt(int intervalMs) {
    String wanted = String.valueOf(intervalMs);
    return enabled && (!ours || (minTx.equals(wanted) && minRx.equals(wanted)));
  }
}
