package org.evenweave.app.southbound;

import java.util.stream.IntStream;

/**
 * The group ids of Evenweave on a device: 65,535, far from those that ONOS allocates for other
 * applications.
 */
final class GroupIdRange {
  /** "EW" in ASCII, and 1. */
  private static final int FIRST = 0x4557_0001;

  private static final int LAST = 0x4557_ffff;

  private GroupIdRange() {}

  /** All of them, in ascending order. */
  static IntStream all() {
    return IntStream.rangeClosed(FIRST, LAST);
  }

  static boolean contains(int groupId) {
    return groupId >= FIRST && groupId <= LAST;
  }
}
