package org.evenweave.wcmp.realisation;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.evenweave.wcmp.reduction.Ratio;

/**
 * The table that a switch looks a flow's next port up in: the flow goes to the owner of slot {@code
 * hash mod size} (Tewari 2015, Figure 3.3). Immutable.
 */
public final class SlotTable {
  private final int[] owners;

  /**
   * @param owners the port that owns each slot; at least one slot
   */
  public SlotTable(int... owners) {
    if (owners.length == 0) {
      throw new IllegalArgumentException("owners is empty; a table has at least one slot");
    }
    this.owners = owners.clone();
  }

  /** Number of slots. */
  public int size() {
    return owners.length;
  }

  /** The owner of each slot; a copy. */
  public int[] owners() {
    return owners.clone();
  }

  /** How many slots a port owns. */
  public int count(int port) {
    int count = 0;
    for (int owner : owners) {
      count += owner == port ? 1 : 0;
    }
    return count;
  }

  /** The part of all hash values that goes to a port. */
  public Ratio share(int port) {
    return Ratio.of(count(port), owners.length);
  }

  /**
   * A table of another size that agrees with this one wherever it can: slot {@code i} has the owner
   * that slot {@code i mod size()} has here. If one size divides the other, as powers of two do,
   * growing moves no flow at all.
   */
  public SlotTable resized(int size) {
    int[] resized = new int[size];
    Arrays.setAll(resized, slot -> owners[slot % owners.length]);
    return new SlotTable(resized);
  }

  /**
   * The part of all hash values that change their port when this table is replaced by another, for
   * hash values many times as large as the tables.
   *
   * <p>By the Chinese remainder theorem the pairs (h mod n, h mod m) are those that agree modulo g
   * = gcd(n, m), all equally often. So in each residue class modulo g every slot here meets every
   * slot there, and what stays is a sum over classes and ports of two counts. O(n + m).
   */
  public Ratio moved(SlotTable next) {
    int classes = gcd(owners.length, next.owners.length);
    long stay = 0;
    for (int residue = 0; residue < classes; residue++) {
      Map<Integer, Long> here = new HashMap<>();
      for (int slot = residue; slot < owners.length; slot += classes) {
        here.merge(owners[slot], 1L, Long::sum);
      }
      for (int slot = residue; slot < next.owners.length; slot += classes) {
        stay += here.getOrDefault(next.owners[slot], 0L);
      }
    }
    long pairs = (long) owners.length / classes * next.owners.length;
    return Ratio.of(pairs - stay, pairs);
  }

  private static int gcd(int a, int b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SlotTable && Arrays.equals(((SlotTable) other).owners, owners);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(owners);
  }

  @Override
  public String toString() {
    return Arrays.toString(owners);
  }
}
