package org.evenweave.wcmp.sharing;

import java.util.Arrays;

/** Destinations that share one group, and the least share that each port has for any of them. */
final class Cluster {
  /** What a set of destinations has that one group cannot serve. */
  static final double IMPOSSIBLE = -1;

  private final NextHopShares all;
  private final double[] least;
  private int[] members = new int[4];
  private int size;
  private int leastPorts;
  private double overlap;

  Cluster(NextHopShares all) {
    this.all = all;
    least = new double[all.portCount()];
    clear();
  }

  private void clear() {
    Arrays.fill(least, 1);
    size = 0;
    leastPorts = 0;
    overlap = 1;
  }

  int size() {
    return size;
  }

  int member(int i) {
    return members[i];
  }

  int[] members() {
    return Arrays.copyOf(members, size);
  }

  /** Whether one group can serve all members. */
  boolean isPossible() {
    int common = 0;
    for (double share : least) {
      common += share > 0 ? 1 : 0;
    }
    return common >= leastPorts;
  }

  /** The sum of the least shares: 1 over the oversubscription of the best group for all members. */
  double overlap() {
    return overlap;
  }

  /** The same with one more destination, or {@link #IMPOSSIBLE}. */
  double overlapWith(int d) {
    int[] ports = all.ports(d);
    double[] shares = all.shares(d);
    double sum = 0;
    int common = 0;
    for (int i = 0; i < ports.length; i++) {
      double both = Math.min(least[ports[i]], shares[i]);
      sum += both;
      common += both > 0 ? 1 : 0;
    }
    return common < Math.max(leastPorts, all.leastPorts(d)) ? IMPOSSIBLE : sum;
  }

  /** The overlap of the members of two clusters, or {@link #IMPOSSIBLE}. */
  double overlapWith(Cluster other) {
    double sum = 0;
    int common = 0;
    for (int port : all.ports(members[0])) {
      double both = Math.min(least[port], other.least[port]);
      sum += both;
      common += both > 0 ? 1 : 0;
    }
    return common < Math.max(leastPorts, other.leastPorts) ? IMPOSSIBLE : sum;
  }

  void add(int d) {
    double[] before = size == 0 ? null : least.clone();
    if (size == members.length) {
      members = Arrays.copyOf(members, 2 * size);
    }
    members[size++] = d;
    leastPorts = Math.max(leastPorts, all.leastPorts(d));
    Arrays.fill(least, 0);
    int[] ports = all.ports(d);
    double[] shares = all.shares(d);
    overlap = 0;
    for (int i = 0; i < ports.length; i++) {
      double both = before == null ? shares[i] : Math.min(before[ports[i]], shares[i]);
      least[ports[i]] = both;
      overlap += both;
    }
  }

  void addAll(Cluster other) {
    for (int i = 0; i < other.size; i++) {
      add(other.members[i]);
    }
  }

  void remove(int d) {
    int[] left = Arrays.stream(members, 0, size).filter(member -> member != d).toArray();
    clear();
    for (int member : left) {
      add(member);
    }
  }

  /** Has one member from now on. */
  void reset(int d) {
    clear();
    add(d);
  }

  /** For each member, the overlap of the others; 1 if there are none. */
  double[] overlapsWithout() {
    double[] overlaps = new double[size];
    if (size == 1) {
      overlaps[0] = 1;
      return overlaps;
    }
    double[] smallest = new double[all.portCount()];
    double[] second = new double[all.portCount()];
    int[] smallestOf = new int[all.portCount()];
    int[] having = new int[all.portCount()];
    long[] positions = new long[all.portCount()];
    Arrays.fill(smallest, Double.POSITIVE_INFINITY);
    Arrays.fill(second, Double.POSITIVE_INFINITY);
    for (int m = 0; m < size; m++) {
      int[] ports = all.ports(members[m]);
      double[] shares = all.shares(members[m]);
      for (int i = 0; i < ports.length; i++) {
        int port = ports[i];
        having[port]++;
        positions[port] += m;
        if (shares[i] < smallest[port]) {
          second[port] = smallest[port];
          smallest[port] = shares[i];
          smallestOf[port] = m;
        } else {
          second[port] = Math.min(second[port], shares[i]);
        }
      }
    }
    long allPositions = (long) size * (size - 1) / 2;
    double kept = 0;
    for (int port = 0; port < having.length; port++) {
      if (having[port] == size) {
        kept += smallest[port];
        overlaps[smallestOf[port]] += second[port] - smallest[port];
      } else if (having[port] == size - 1) {
        overlaps[(int) (allPositions - positions[port])] += smallest[port];
      }
    }
    for (int m = 0; m < size; m++) {
      overlaps[m] += kept;
    }
    return overlaps;
  }
}
