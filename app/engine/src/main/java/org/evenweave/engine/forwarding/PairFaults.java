package org.evenweave.engine.forwarding;

import java.util.ArrayList;
import java.util.List;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.weights.PairTable;

/** Where pairs have no groups of their own although the strategy gives them some, and why. */
final class PairFaults {
  private final String[] faults;
  private final boolean isTooLarge;

  PairFaults(Fabric fabric, PairTable pairs) {
    faults = new String[fabric.switchCount()];
    isTooLarge = pairs.isTooLarge();
  }

  /** A switch cannot hold them. */
  void add(int s, CannotFitException why) {
    faults[s] = why.getMessage();
  }

  /** With a switch it is as it was. */
  void keep(int s, PairFaults earlier) {
    faults[s] = earlier.faults[s];
  }

  boolean isAt(int s) {
    return faults[s] != null;
  }

  /** A sentence for each. */
  List<String> sentences() {
    List<String> all = new ArrayList<>();
    if (isTooLarge) {
      all.add(
          "more than "
              + PairTable.MOST_SWITCHES
              + " switches have prefixes: pairs use their destinations' groups");
    }
    for (String fault : faults) {
      if (fault != null) {
        all.add(fault + ": pairs use their destinations' groups there");
      }
    }
    return all;
  }
}
