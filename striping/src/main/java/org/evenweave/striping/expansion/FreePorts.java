package org.evenweave.striping.expansion;

import java.util.BitSet;

/** The used and free ports of a stage's switches. Ports count from 1. */
final class FreePorts {

  private final BitSet[] used;
  private final int[] portCounts;

  /**
   * The ports of a wired stage.
   *
   * @param switches number of switches, including those without links yet
   * @param ports ports that each switch has at least; one that has a link on a higher port has the
   *     ports up to that
   */
  FreePorts(Stage stage, Wiring wiring, int switches, int ports) {
    used = new BitSet[switches];
    portCounts = new int[switches];
    for (int i = 0; i < switches; i++) {
      used[i] = new BitSet();
      portCounts[i] = ports;
    }
    for (WiredLink link : wiring.links()) {
      int at = link.switchAt(stage);
      used[at].set(link.portAt(stage));
      portCounts[at] = Math.max(portCounts[at], link.portAt(stage));
    }
  }

  boolean hasFree(int at) {
    return used[at].cardinality() < portCounts[at];
  }

  /** Occupies the lowest free port, which must exist, and returns it. */
  int take(int at) {
    int port = used[at].nextClearBit(1);
    used[at].set(port);
    return port;
  }

  void release(int at, int port) {
    used[at].clear(port);
  }
}
