package org.evenweave.app.southbound;

/**
 * Where the engine's group ids, which count from 1 on every switch, lie among a device's: far from
 * where ONOS counts for applications that leave the choice to it.
 */
final class GroupIdRange {
  /** "EW" in ASCII. */
  private static final int FIRST = 0x4557_0000;

  private static final int MASK = 0xffff_0000;

  private GroupIdRange() {}

  static boolean contains(int onosGroupId) {
    return (onosGroupId & MASK) == FIRST;
  }

  static int toOnos(int engineGroupId) {
    if ((engineGroupId & MASK) != 0) {
      throw new IllegalArgumentException("group id " + engineGroupId + " is beyond 65535");
    }
    return FIRST | engineGroupId;
  }

  static int toEngine(int onosGroupId) {
    return onosGroupId & ~MASK;
  }
}
