package org.evenweave.sdd.trigger;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.evenweave.sdd.demand.DemandMatrix;

/**
 * The pairs of hosts that get neither circuits nor packet slots while a trigger has their queue
 * closed. Thread-safe.
 */
public final class HeldPairs {
  /** By source, which destinations; never changed once they are in here. */
  private final AtomicReferenceArray<BitSet> held;

  /** None at first. */
  public HeldPairs(int hosts) {
    held = new AtomicReferenceArray<>(hosts);
  }

  /**
   * Holds these pairs of a source, and none else of it.
   *
   * @param destinations copied
   */
  void set(int source, BitSet destinations) {
    held.set(source, destinations.isEmpty() ? null : (BitSet) destinations.clone());
  }

  /** Whether the pair is held. */
  public boolean isHeld(int source, int destination) {
    BitSet destinations = held.get(source);
    return destinations != null && destinations.get(destination);
  }

  /** Takes all demand of the pairs that are held away. */
  public void drop(DemandMatrix demand) {
    for (int source = 0; source < demand.hosts(); source++) {
      BitSet destinations = held.get(source);
      for (int i = nextOf(destinations, 0); i >= 0; i = nextOf(destinations, i + 1)) {
        demand.set(source, i, 0);
      }
    }
  }

  private static int nextOf(BitSet destinations, int from) {
    return destinations == null ? -1 : destinations.nextSetBit(from);
  }
}
