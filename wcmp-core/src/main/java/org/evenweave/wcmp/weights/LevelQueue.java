package org.evenweave.wcmp.weights;

import java.util.Arrays;

/**
 * A queue of switches by rising level, for levels that are small integers: adding and taking are
 * O(1) apart from the steps over empty levels. A switch may be in it several times. While it is
 * being emptied, what is added must not be below the level of what was taken last.
 */
final class LevelQueue {
  private static final int NONE = -1;

  private final int[] firstOfLevel;
  private int[] next = new int[64];
  private int[] value = new int[64];
  private int count;
  private int taken;
  private int level;

  /**
   * @param levels levels are {@code 0 ..< levels}
   */
  LevelQueue(int levels) {
    firstOfLevel = new int[levels];
    Arrays.fill(firstOfLevel, NONE);
    level = levels;
  }

  void add(int itsLevel, int s) {
    if (count == next.length) {
      next = Arrays.copyOf(next, 2 * count);
      value = Arrays.copyOf(value, 2 * count);
    }
    next[count] = firstOfLevel[itsLevel];
    value[count] = s;
    firstOfLevel[itsLevel] = count++;
    level = Math.min(level, itsLevel);
  }

  /** Takes a switch of the lowest level there is, which is then {@link #level}; -1 if empty. */
  int take() {
    if (taken == count) {
      taken = 0;
      count = 0;
      level = firstOfLevel.length;
      return NONE;
    }
    while (firstOfLevel[level] == NONE) {
      level++;
    }
    int entry = firstOfLevel[level];
    firstOfLevel[level] = next[entry];
    taken++;
    return value[entry];
  }

  /** The level of the switch taken last. */
  int level() {
    return level;
  }
}
