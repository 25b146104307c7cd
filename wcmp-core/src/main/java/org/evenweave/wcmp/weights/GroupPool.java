package org.evenweave.wcmp.weights;

import java.util.Arrays;

/**
 * One object for every distinct group: a hash table with open addressing, at most half full, that
 * takes plain arrays so that a group which exists already costs no allocation.
 */
final class GroupPool {
  private IdealGroup[] slots = new IdealGroup[64];
  private int size;
  private long[] lastWeights = {};

  /** The group of the first {@code count} of these members, made if there is none yet. */
  IdealGroup groupOf(int[] arcs, long[] weights, int count, long effectiveBps) {
    int hash = IdealGroup.hash(arcs, weights, count);
    int slot = slotOf(hash);
    while (slots[slot] != null) {
      IdealGroup group = slots[slot];
      if (group.hashCode() == hash
          && group.effectiveBps() == effectiveBps
          && group.consistsOf(arcs, weights, count)) {
        return group;
      }
      slot = slot + 1 & slots.length - 1;
    }
    // Where links are alike, so are the weights of most groups.
    if (!Arrays.equals(lastWeights, 0, lastWeights.length, weights, 0, count)) {
      lastWeights = Arrays.copyOf(weights, count);
    }
    IdealGroup group = new IdealGroup(Arrays.copyOf(arcs, count), lastWeights, effectiveBps, hash);
    slots[slot] = group;
    if (++size * 2 > slots.length) {
      grow();
    }
    return group;
  }

  private void grow() {
    IdealGroup[] old = slots;
    slots = new IdealGroup[old.length * 2];
    for (IdealGroup group : old) {
      if (group != null) {
        int slot = slotOf(group.hashCode());
        while (slots[slot] != null) {
          slot = slot + 1 & slots.length - 1;
        }
        slots[slot] = group;
      }
    }
  }

  /** Fibonacci hashing: the high bits of the product depend on all bits of the hash. */
  private int slotOf(int hash) {
    return (hash * 0x9E3779B9) >>> Integer.numberOfLeadingZeros(slots.length - 1);
  }
}
