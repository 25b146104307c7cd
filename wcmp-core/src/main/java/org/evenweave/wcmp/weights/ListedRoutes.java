package org.evenweave.wcmp.weights;

import java.math.BigInteger;
import java.util.Arrays;
import org.evenweave.wcmp.fabric.Fabric;

/** Routes that were given group by group, checked. */
final class ListedRoutes extends DestinationRoutes {
  private static final int UNKNOWN = -2;
  private static final int ON_PATH = -3;

  private final int destination;
  private final IdealGroup[] groups;
  private final int[] hops;

  ListedRoutes(Fabric fabric, int destination, int[][] arcs, long[][] weights) {
    this(fabric, destination, groups(fabric, destination, arcs, weights));
  }

  private static IdealGroup[] groups(
      Fabric fabric, int destination, int[][] arcs, long[][] weights) {
    IdealGroup[] groups = new IdealGroup[fabric.switchCount()];
    for (int s = 0; s < groups.length; s++) {
      groups[s] = arcs[s].length == 0 ? IdealGroup.EMPTY : group(fabric, s, arcs[s], weights[s]);
    }
    check(arcs[destination].length == 0, fabric, destination, "it is the destination");
    return groups;
  }

  /**
   * Routes whose groups are known to be in order.
   *
   * @param groups of every switch; kept, not copied
   */
  ListedRoutes(Fabric fabric, int destination, IdealGroup[] groups) {
    this.destination = destination;
    this.groups = groups;
    hops = new int[groups.length];
    for (int s = 0; s < hops.length; s++) {
      hops[s] = groups[s].memberCount() == 0 ? -1 : UNKNOWN;
    }
    hops[destination] = 0;
    findHops(fabric);
  }

  private static IdealGroup group(Fabric fabric, int s, int[] arcs, long[] weights) {
    check(arcs.length == weights.length, fabric, s, "there must be one weight for each");
    int count = 0;
    int[] byPort = new int[arcs.length];
    BigInteger[] weightByPort = new BigInteger[arcs.length];
    for (int i = 0; i < fabric.outDegree(s); i++) {
      for (int m = 0; m < arcs.length; m++) {
        if (arcs[m] == fabric.outArc(s, i)) {
          check(weights[m] > 0, fabric, s, "a weight is not positive");
          check(count < arcs.length, fabric, s, "one is listed twice");
          byPort[count] = arcs[m];
          weightByPort[count++] = BigInteger.valueOf(weights[m]);
        }
      }
    }
    check(count == arcs.length, fabric, s, "one is not a link of it that is up");
    check(Arrays.stream(byPort).distinct().count() == count, fabric, s, "one is listed twice");
    return new IdealGroup(byPort, IdealWeights.inLowestTerms(weightByPort), 0);
  }

  /** Longest paths, depth first without recursion. */
  private void findHops(Fabric fabric) {
    int[] path = new int[groups.length];
    int[] member = new int[groups.length];
    int[] longest = new int[groups.length];
    for (int start = 0; start < groups.length; start++) {
      int depth = -1;
      if (hops[start] == UNKNOWN) {
        path[++depth] = start;
        hops[start] = ON_PATH;
      }
      while (depth >= 0) {
        int s = path[depth];
        if (member[depth] == groups[s].memberCount()) {
          hops[s] = longest[depth] + 1;
          longest[depth] = 0;
          member[depth--] = 0;
          continue;
        }
        int next = fabric.to(groups[s].arc(member[depth]));
        check(hops[next] != ON_PATH, fabric, s, "they loop back to it");
        check(hops[next] != -1, fabric, s, "one leads to the dead end " + fabric.switchId(next));
        if (hops[next] == UNKNOWN) {
          path[++depth] = next;
          hops[next] = ON_PATH;
        } else {
          longest[depth] = Math.max(longest[depth], hops[next]);
          member[depth]++;
        }
      }
    }
  }

  private static void check(boolean right, Fabric fabric, int s, String problem) {
    if (!right) {
      throw new IllegalArgumentException(
          "members of switch " + fabric.switchId(s) + ": " + problem);
    }
  }

  @Override
  public int destination() {
    return destination;
  }

  @Override
  public int hops(int s) {
    return hops[s];
  }

  @Override
  public IdealGroup group(int s) {
    return groups[s];
  }
}
