package org.evenweave.wcmp.weights;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.stream.IntStream;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * The weight rule that {@link WeightRule#AUTOMATIC} selects for a fabric, and the reason.
 * Immutable.
 *
 * <p>Between switches at most two links apart no two next hops share a link further on, so that
 * weights by effective capacity give each pair its maximum flow, as in every fabric of two stages.
 * Where switches with prefixes are farther apart, next hops may share links, and weights by maximum
 * flow count these once. Where flows would take too much computing, effective capacity stays.
 *
 * <p>It depends on the wiring alone, not on which links are up: a failure never changes the rule.
 */
public final class AutomaticChoice {
  /**
   * Classes of equivalent destinations times links, for which flows are computed: on one core some
   * 0.5 s in a fat-tree of 1,280 switches, up to ten times that where no two switches are alike.
   */
  static final long MOST_WORK = 500_000;

  private final WeightRule rule;
  private final String reason;

  private AutomaticChoice(WeightRule rule, String reason) {
    this.rule = rule;
    this.reason = reason;
  }

  /** The choice for a fabric; takes O(switches x switches with prefixes) at the most. */
  public static AutomaticChoice of(Fabric fabric) {
    Fabric wired = fabric.withLinksUp(fabric.linksDown().toArray());
    BitSet ends = ConcurrentFlow.sources(fabric);
    int[] far = farApart(wired, ends);
    if (far == null) {
      return new AutomaticChoice(
          WeightRule.EFFECTIVE_CAPACITY,
          "switches with prefixes are at most two links apart, and each pair gets its maximum"
              + " flow");
    }
    Bundles[] bundles = Bundles.ofAll(wired);
    long classes = ends.stream().mapToObj(s -> bundles[s]).distinct().count();
    if (classes * wired.linkCount() > MOST_WORK) {
      return new AutomaticChoice(
          WeightRule.EFFECTIVE_CAPACITY,
          "flows to "
              + classes
              + " classes of destinations over "
              + wired.linkCount()
              + " links take too long for every event; select maxflow explicitly to use it");
    }
    return new AutomaticChoice(
        WeightRule.MAXIMUM_FLOW,
        wired.switchId(far[0])
            + " and "
            + wired.switchId(far[1])
            + " are more than two links apart, so next hops may share links further on");
  }

  /** Two ends with a path, and none of one or two links; null if there are none. */
  private static int[] farApart(Fabric wired, BitSet ends) {
    BitSet[] endsNextTo = new BitSet[wired.switchCount()];
    for (int s = 0; s < endsNextTo.length; s++) {
      endsNextTo[s] = new BitSet();
      neighbours(wired, s).filter(ends::get).forEach(endsNextTo[s]::set);
    }
    int[] part = parts(wired);
    for (int end = ends.nextSetBit(0); end >= 0; end = ends.nextSetBit(end + 1)) {
      BitSet near = (BitSet) endsNextTo[end].clone();
      near.set(end);
      neighbours(wired, end).forEach(s -> near.or(endsNextTo[s]));
      for (int other = ends.nextSetBit(end); other >= 0; other = ends.nextSetBit(other + 1)) {
        if (!near.get(other) && part[other] == part[end]) {
          return new int[] {end, other};
        }
      }
    }
    return null;
  }

  private static IntStream neighbours(Fabric wired, int s) {
    return IntStream.range(0, wired.outDegree(s)).map(i -> wired.to(wired.outArc(s, i)));
  }

  /** By switch, the number of the connected part of the fabric that it is in. */
  private static int[] parts(Fabric wired) {
    int[] part = new int[wired.switchCount()];
    Arrays.fill(part, -1);
    Deque<Integer> queue = new ArrayDeque<>();
    for (int first = 0; first < part.length; first++) {
      if (part[first] < 0) {
        part[first] = first;
        queue.add(first);
      }
      while (!queue.isEmpty()) {
        int s = queue.remove();
        int number = part[s];
        neighbours(wired, s)
            .filter(next -> part[next] < 0)
            .forEach(
                next -> {
                  part[next] = number;
                  queue.add(next);
                });
      }
    }
    return part;
  }

  /** {@link WeightRule#EFFECTIVE_CAPACITY} or {@link WeightRule#MAXIMUM_FLOW}. */
  public WeightRule rule() {
    return rule;
  }

  /** Why, in one line. */
  public String reason() {
    return reason;
  }
}
