package org.evenweave.wcmp.realisation;

import java.math.BigInteger;
import java.util.Arrays;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.TableTooSmallException;

/**
 * Open vSwitch's handling of bucket weights in a SELECT group with no selection method, or with
 * dp_hash.
 *
 * <p><b>The table.</b> With w the weights, Open vSwitch makes a table of n slots, n being the least
 * power of two from 16 on that is not below sum(w) / min(w), the least over positive weights; so
 * the smallest bucket is due at least one slot. Slots are given out one after the other by
 * Webster's method: each to the bucket with the largest w / (2 h + 1), h being the slots that it
 * has, the first in list order among equals. Open vSwitch compares doubles, and we compare products
 * of integers; the order is the same, as quotients of 16-bit weights by odd numbers up to 513 are
 * equal or differ by far more than a double's rounding.
 *
 * <p>Two corollaries are what {@link SwitchTarget} builds on:
 *
 * <ul>
 *   <li>2^k buckets of weight 1, 16 to 256 of them: n = 2^k, and slot i goes to bucket i, since in
 *       turn each bucket is the first of those without a slot.
 *   <li>Weights that sum to n itself are realised exactly: with all quotas whole, the slots due are
 *       those with w / (2 h + 1) &gt; 1/2, that is h &lt; w, and there are n of them.
 * </ul>
 *
 * <p><b>The slow path.</b> If n would exceed 256, or all weights are 0, there is no table. Every
 * new flow goes through user space, where a bucket's score is its weight times 16 bits of a hash of
 * the flow and the bucket, and the highest score wins. That law is not proportional to the weights.
 * With independent hashes U uniform on [0, 1], the best score S of all has the distribution F(s) =
 * prod min(1, s / w[j]), and bucket i wins with probability integral over s from 0 to w[i] of F(s)
 * / s. Between two neighbouring weights F is a power of s, so the integral is a sum of exact terms,
 * O(P) of them after sorting. The 16 bits of the real score move a share by less than P / 2^16 (the
 * probability that two scores tie).
 *
 * <p><b>Source.</b> Open vSwitch 3.1, ofproto/ofproto-dpif.c (group_setup_dp_hash_table) and
 * ofproto/ofproto-dpif-xlate.c (group_best_live_bucket); M. L. Balinski and H. P. Young, Fair
 * Representation, 2nd ed. 2001, for Webster's method.
 */
final class OpenVSwitchGroup {
  static final int MIN_SLOTS = 16;
  static final int MAX_SLOTS = 256;

  /** Weights are 16 bits on the wire. */
  static final int MAX_WEIGHT = 0xffff;

  /** What {@link #slots} returns if there is no table. */
  static final int NO_TABLE = 0;

  private OpenVSwitchGroup() {}

  /** What Open vSwitch does with a group. */
  static Realisation realise(int[] bucketPorts, int[] bucketWeights) {
    return slots(bucketWeights) == NO_TABLE
        ? Realisation.withoutSlots(bucketPorts, bucketWeights, slowPathShares(bucketWeights))
        : Realisation.ofSlots(bucketPorts, bucketWeights, bucketOfSlot(bucketWeights));
  }

  static boolean isTableSize(int slots, int mostSlots) {
    return slots >= MIN_SLOTS && slots <= mostSlots && Integer.bitCount(slots) == 1;
  }

  /**
   * The smallest size of at most so many entries with a group within the limit; where there is
   * none, the one of least oversubscription.
   *
   * @throws TableTooSmallException if the smallest size with a slot per port that cannot be left
   *     out is above the entries
   * @param mostSlots of a table; a power of two
   * @throws IllegalArgumentException if there are more ports than that
   */
  static int tableSize(GroupRequest request, int entries, int mostSlots) {
    if (request.leastPorts() > mostSlots) {
      throw new IllegalArgumentException(
          request.leastPorts()
              + " ports; Open vSwitch's tables have at most "
              + mostSlots
              + " slots");
    }
    int smallest = MIN_SLOTS;
    while (smallest < request.leastPorts()) {
      smallest *= 2;
    }
    if (smallest > entries) {
      throw new TableTooSmallException(entries, smallest);
    }
    int best = smallest;
    Ratio least = request.leastOversubscription(smallest);
    for (int slots = 2 * smallest;
        slots <= Math.min(entries, mostSlots) && least.compareTo(request.limit()) > 0;
        slots *= 2) {
      Ratio oversubscription = request.leastOversubscription(slots);
      if (oversubscription.compareTo(least) < 0) {
        least = oversubscription;
        best = slots;
      }
    }
    return best;
  }

  /**
   * The size of the table.
   *
   * @param weights of each bucket, 0 to 65535
   * @return a power of two from 16 to 256, or {@link #NO_TABLE}
   */
  static int slots(int[] weights) {
    long sum = 0;
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < weights.length; i++) {
      if (weights[i] < 0 || weights[i] > MAX_WEIGHT) {
        throw new IllegalArgumentException(
            "weights[" + i + "] is " + weights[i] + "; it must be 0 to " + MAX_WEIGHT);
      }
      sum += weights[i];
      least = weights[i] > 0 ? Math.min(least, weights[i]) : least;
    }
    long slots = sum == 0 ? 2 * MAX_SLOTS : MIN_SLOTS;
    while (slots * least < sum) {
      slots *= 2;
    }
    return slots <= MAX_SLOTS ? (int) slots : NO_TABLE;
  }

  /** The bucket that owns each slot; only if there is a table. */
  static int[] bucketOfSlot(int[] weights) {
    int[] buckets = new int[slots(weights)];
    if (buckets.length == weights.length && Arrays.stream(weights).allMatch(w -> w == weights[0])) {
      Arrays.setAll(buckets, slot -> slot); // Each is the first of those without a slot.
      return buckets;
    }
    int[] divisors = new int[weights.length];
    Arrays.fill(divisors, 1);
    for (int slot = 0; slot < buckets.length; slot++) {
      int winner = 0;
      for (int i = 1; i < weights.length; i++) {
        if ((long) weights[i] * divisors[winner] > (long) weights[winner] * divisors[i]) {
          winner = i;
        }
      }
      divisors[winner] += 2;
      buckets[slot] = winner;
    }
    return buckets;
  }

  /**
   * The part of all flows that each bucket gets in the slow path; all to the last if all weigh 0.
   */
  static Ratio[] slowPathShares(int[] weights) {
    int[] rising = Arrays.stream(weights).filter(weight -> weight > 0).sorted().toArray();
    Ratio[] upTo = new Ratio[rising.length];
    BigInteger above = BigInteger.ONE;
    for (int weight : rising) {
      above = above.multiply(BigInteger.valueOf(weight));
    }
    Ratio share = Ratio.ZERO;
    BigInteger from = BigInteger.ZERO;
    for (int k = 0; k < rising.length; k++) {
      // On [from, to], F(s) / s = s^(m-1) / above, where the m weights not passed yet multiply.
      int m = rising.length - k;
      BigInteger to = BigInteger.valueOf(rising[k]);
      BigInteger area = to.pow(m).subtract(from.pow(m));
      share = share.plus(Ratio.of(area, above.multiply(BigInteger.valueOf(m))));
      upTo[k] = share;
      above = above.divide(to);
      from = to;
    }
    Ratio[] shares = new Ratio[weights.length];
    if (rising.length == 0) {
      Arrays.fill(shares, Ratio.ZERO);
      shares[shares.length - 1] = Ratio.ONE;
      return shares;
    }
    Arrays.setAll(
        shares, i -> weights[i] == 0 ? Ratio.ZERO : upTo[Arrays.binarySearch(rising, weights[i])]);
    return shares;
  }
}
