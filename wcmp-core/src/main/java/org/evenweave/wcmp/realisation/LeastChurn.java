package org.evenweave.wcmp.realisation;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.evenweave.wcmp.reduction.GuaranteedPorts;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.WeightVector;

/**
 * The slot counts within an oversubscription limit that are nearest to those installed.
 *
 * <p><b>Problem.</b> A table of n slots holds counts Y0 of ports; ports may have come or left, and
 * the ideal weights X, of sum W, are new. Find counts Y of sum n, each at least 1 and within the
 * limit theta (Equation 3.2: Y[i] &lt;= theta X[i] n / W, rounded down: cap[i]), so that the fewest
 * slots change owner. A port whose cap is 0 is left out if it may be; the smallest ports are too if
 * there are more ports than slots, of equal ones those that own none.
 *
 * <p><b>Idea.</b> Clamp every Y0[i] into 1..cap[i]; ports that left lose all. If slots are over,
 * give them one by one to the port that they hurt least (least (Y+1)/X) among those below their
 * cap; if slots are missing, take them one by one from the port that is worst off (largest Y/X)
 * among those above 1. There is an answer exactly when every cap of a port that may not be left out
 * is at least 1, and all caps sum to at least n.
 *
 * <p><b>Proof.</b> Let L be the slots over caps or of ports that left, and G those that ports
 * without one lack. Any answer takes at least L away and gives at least G; as what is taken is what
 * is given, at least max(L, G) slots move. Clamping takes L and gives G. What follows only gives if
 * L &gt; G, and then G grows to L; or only takes, and then L grows to G. So exactly max(L, G) move.
 *
 * <p><b>Complexity.</b> O(P m) for P ports and m slots given or taken after clamping.
 *
 * <p><b>Source.</b> The limit is that of Tewari 2015, section 3.3.2; the paper does not ask for few
 * moves. Laid out from nothing (Y0 = 0) the counts are those of its greedy.
 */
final class LeastChurn {
  private LeastChurn() {}

  /**
   * @param guaranteed so many ports may not be left out; of equal weights another may take a port's
   *     place
   * @param limit on the maximum oversubscription, at least 1
   * @param slots of the table
   * @param installed slots each port owns now, aligned with {@code ideal}; 0 for a new port
   * @return counts aligned with {@code ideal}, or null if no counts of this sum are within the
   *     limit
   */
  static int[] counts(
      WeightVector ideal, GuaranteedPorts guaranteed, Ratio limit, int slots, int[] installed) {
    if (guaranteed.count() > slots) {
      return null;
    }
    boolean[] mayHaveSlots = largest(ideal, slots, installed);
    int[] caps = new int[ideal.ports()];
    int[] counts = new int[ideal.ports()];
    long most = 0;
    int sum = 0;
    int ports = 0;
    for (int i = 0; i < caps.length; i++) {
      caps[i] = mayHaveSlots[i] ? cap(ideal, limit, slots, i) : 0;
      ports += Math.min(1, caps[i]);
      most += caps[i];
      counts[i] = Math.min(caps[i], Math.max(1, installed[i]));
      sum += counts[i];
    }
    // Equal weights have equal caps, so a guaranteed port is missed only if smaller ports are too.
    if (ports < guaranteed.count() || most < slots) {
      return null;
    }
    for (; sum < slots; sum++) {
      counts[leastHurt(ideal, counts, caps)]++;
    }
    for (; sum > slots; sum--) {
      counts[worstOff(ideal, counts)]--;
    }
    return counts;
  }

  /**
   * Of more ports than slots those of the largest weights; of equal weights those that own a slot
   * now, so that it does not move.
   */
  private static boolean[] largest(WeightVector ideal, int slots, int[] installed) {
    boolean[] largest = new boolean[ideal.ports()];
    if (ideal.ports() <= slots) {
      Arrays.fill(largest, true);
      return largest;
    }
    IntStream.range(0, ideal.ports())
        .boxed()
        .sorted(
            Comparator.comparingLong((Integer port) -> -ideal.weight(port))
                .thenComparingInt(port -> -Math.min(1, installed[port])))
        .limit(slots)
        .forEach(port -> largest[port] = true);
    return largest;
  }

  private static int cap(WeightVector ideal, Ratio limit, int slots, int port) {
    BigInteger cap =
        limit
            .numerator()
            .multiply(BigInteger.valueOf(ideal.weight(port)))
            .multiply(BigInteger.valueOf(slots))
            .divide(limit.denominator().multiply(ideal.exactSize()));
    return cap.min(BigInteger.valueOf(slots)).intValue();
  }

  private static int leastHurt(WeightVector ideal, int[] counts, int[] caps) {
    int best = -1;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] < caps[i]
          && (best < 0
              || Ratio.compare(
                      counts[i] + 1L, ideal.weight(i), counts[best] + 1L, ideal.weight(best))
                  < 0)) {
        best = i;
      }
    }
    return best;
  }

  private static int worstOff(WeightVector ideal, int[] counts) {
    int worst = -1;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 1
          && (worst < 0
              || Ratio.compare(counts[i], ideal.weight(i), counts[worst], ideal.weight(worst))
                  >= 0)) {
        worst = i;
      }
    }
    return worst;
  }
}
