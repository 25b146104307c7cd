package org.evenweave.engine.forwarding;

/**
 * How many slots each group of a switch gets.
 *
 * <p>Open vSwitch keeps a group of 2^k unit-weight buckets as a table of exactly 2^k slots, bucket
 * {@code i} owning slot {@code i}, for tables of 16 to 256 slots (group_setup_dp_hash_table in its
 * ofproto-dpif.c). More slots come nearer to the ideal weights; all groups of a switch get the same
 * number, the largest that fits its table.
 */
final class SlotBudget {
  static final int MAX_SLOTS = 256;
  private static final int MIN_SLOTS = 16;

  private SlotBudget() {}

  /**
   * @param groups how many groups the switch needs
   * @param widest the member ports of the widest one
   * @param tableEntries what the switch's multipath table holds
   * @return a power of two, at least {@code widest}
   */
  static int slotsPerGroup(String switchId, int groups, int widest, int tableEntries) {
    int least = Math.max(MIN_SLOTS, widest <= 1 ? 1 : Integer.highestOneBit(widest - 1) << 1);
    if (least > MAX_SLOTS || (long) least * groups > tableEntries) {
      throw new CannotFitException(switchId, groups, least * groups, tableEntries);
    }
    int slots = MAX_SLOTS;
    while ((long) slots * groups > tableEntries) {
      slots /= 2;
    }
    return slots;
  }
}
