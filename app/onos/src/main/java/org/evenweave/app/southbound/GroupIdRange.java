package org.evenweave.app.southbound;

import java.util.stream.IntStream;

/**
 * Which of a device's group ids are Evenweave's: 65,535 far from where ONOS counts for applications
 * that leave the choice to it.
 */
final class GroupIdRange {
  /** "EW" in ASCII, and 1. */
  private static final int FIRST = 0x4557_0001;

  private static final int LAST = 0x4557_ffff;

  private GroupIdRange() {}

  /** All of them, the first first. */
  static IntStream all() {
    return IntStream.rangeClosed(FIRST, LAST);
  }

  static boolean contains(int groupId) {
    return groupId >= FIRST && groupId <= LAST;
  }
}
