package org.evenweave.wcmp.reduction;

import java.util.Arrays;

/**
 * Reduces groups one after the other within limits on their maximum oversubscription, as {@link
 * WeightReduction#reduce} does one, without allocating memory for each: for tools and controllers
 * that reduce many. Not for several threads.
 *
 * <p>Groups of few ports or few distinct weights come back: those of the last limit are remembered,
 * by how many ports have which weight ({@link KnownGroups}).
 *
 * <p>Weights below 2048 and sums below 2^20, as nearly all groups have them in lowest terms, are
 * searched in 64-bit integers, by class of equal weights ({@link ClassSearch}) or port by port
 * ({@link PortSearch}); all others by {@link SizeSearch}.
 */
public final class GroupReducer {
  private final NarrowGroup narrow = new NarrowGroup();
  private final KnownGroups known = new KnownGroups();
  private final boolean remembers;
  private final ClassSearch byClass = new ClassSearch();
  private final PortSearch byPort = new PortSearch();

  /** By port, the entries that it gets at least where ports may be left out. */
  private byte[] least = new byte[0];

  /** The limit of the last group, and whether it is narrow. */
  private Ratio lastLimit;

  private boolean narrowLimit;

  /** Room for weights in lowest terms. */
  private long[] lowest = new long[0];

  /** Remembers the groups that it reduced for the limit it was given last. */
  public GroupReducer() {
    this(true);
  }

  /**
   * @param remembers whether to look for a group among those reduced before; for who wants to know
   *     what a group costs that is new
   */
  public GroupReducer(boolean remembers) {
    this.remembers = remembers;
  }

  /**
   * The smallest group within an oversubscription limit.
   *
   * @param weights positive ideal weights, one per member port, in any unit
   * @param limit limit on the maximum oversubscription, at least 1
   * @param entries filled with the table entries per member port, each at least 1
   * @return the size of the group, the sum of its entries
   * @throws IllegalArgumentException if a weight is not positive, the limit is below 1, or no group
   *     of fewer than 2^31 entries is within the limit
   */
  public int reduce(long[] weights, Ratio limit, int[] entries) {
    return reduce(weights, weights.length, limit, entries);
  }

  /** The same for a group of the first {@code ports} weights, at least one. */
  public int reduce(long[] weights, int ports, Ratio limit, int[] entries) {
    if (limit != lastLimit) {
      setLimit(limit);
    }
    if (narrowLimit && known.count(weights, ports)) {
      int size = remembers ? known.recall(weights, ports, entries) : KnownGroups.NONE;
      size = size == KnownGroups.NONE ? reduceNear(weights, ports, entries) : size;
      if (size != KnownGroups.NONE) {
        return size;
      }
    }
    if (narrowLimit && narrow.setWeights(weights, ports)) {
      return reduceNarrow(entries);
    }
    WeightVector ideal = WeightVector.of(Arrays.copyOf(weights, ports));
    if (narrowLimit && narrow.setWeights(lowestTerms(ideal), ideal.ports())) {
      return reduceNarrow(entries);
    }
    return reduceWide(ideal, GuaranteedPorts.all(ideal), limit, entries);
  }

  /**
   * The same where ports may be left out, as {@link WeightReduction#reduce(long[], Ratio, int)}.
   *
   * @param minNextHops ports that get at least one entry; all if there are fewer
   * @throws IllegalArgumentException also if {@code minNextHops} is below 1
   */
  public int reduce(long[] weights, int ports, Ratio limit, int minNextHops, int[] entries) {
    if (minNextHops < 1) {
      throw new IllegalArgumentException(
          "minNextHops is " + minNextHops + "; a group needs at least one next hop");
    }
    if (minNextHops >= ports) {
      return reduce(weights, ports, limit, entries);
    }
    if (limit != lastLimit) {
      setLimit(limit);
    }
    if (narrowLimit && narrow.setWeights(weights, ports)) {
      return reduceNarrow(minNextHops, entries);
    }
    WeightVector ideal = WeightVector.of(Arrays.copyOf(weights, ports));
    if (narrowLimit && narrow.setWeights(lowestTerms(ideal), ports)) {
      return reduceNarrow(minNextHops, entries);
    }
    return reduceWide(ideal, GuaranteedPorts.atLeast(ideal, minNextHops), limit, entries);
  }

  private int reduceNarrow(int minNextHops, int[] entries) {
    if (least.length < narrow.ports) {
      least = new byte[narrow.ports];
    }
    narrow.guarantee(minNextHops, least);
    return byPort.smallest(narrow, least, entries);
  }

  private void setLimit(Ratio limit) {
    if (limit.compareTo(Ratio.ONE) < 0) {
      throw new IllegalArgumentException(
          "maxOversubscription is " + limit + "; it must be at least 1");
    }
    if (!limit.equals(lastLimit)) {
      narrowLimit = narrow.setLimit(limit);
      known.forget();
    }
    lastLimit = limit;
  }

  private int reduceNear(long[] weights, int ports, int[] entries) {
    if (!byClass.classify(narrow, known, weights, ports)) {
      return KnownGroups.NONE;
    }
    boolean stored = known.store(byClass, byClass.smallest());
    return stored ? known.recall(weights, ports, entries) : KnownGroups.NONE;
  }

  private int reduceNarrow(int[] entries) {
    if (narrow.ports > PortSearch.FEW_PORTS && byClass.classify(narrow)) {
      int size = byClass.smallest();
      byClass.write(entries);
      return size;
    }
    return byPort.smallest(narrow, entries);
  }

  private long[] lowestTerms(WeightVector ideal) {
    if (lowest.length < ideal.ports()) {
      lowest = new long[ideal.ports()];
    }
    for (int i = 0; i < ideal.ports(); i++) {
      lowest[i] = ideal.weight(i);
    }
    return lowest;
  }

  private static int reduceWide(
      WeightVector ideal, GuaranteedPorts guaranteed, Ratio limit, int[] entries) {
    SizeSearch search = new SizeSearch(ideal, guaranteed);
    int size = search.smallestWithin(limit, 1, Integer.MAX_VALUE);
    if (size == SizeSearch.NONE) {
      throw noneWithin(limit);
    }
    System.arraycopy(search.copyEntries(), 0, entries, 0, ideal.ports());
    return size;
  }

  static IllegalArgumentException noneWithin(Ratio limit) {
    return new IllegalArgumentException(
        "no group of fewer than 2^31 entries has an oversubscription of at most " + limit);
  }
}
