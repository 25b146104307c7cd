package org.evenweave.wcmp.realisation;

import java.util.Arrays;
import org.evenweave.wcmp.reduction.Apportionment;
import org.evenweave.wcmp.reduction.GuaranteedPorts;
import org.evenweave.wcmp.reduction.Oversubscription;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.TableTooSmallException;
import org.evenweave.wcmp.reduction.WeightVector;

/** The requirements of a WCMP group, independent of the switch. Immutable. */
public final class GroupRequest {
  private final int[] ports;
  private final long[] idealWeights;
  private final WeightVector ideal;
  private final Ratio limit;
  private final SlotLayout layout;
  private final GuaranteedPorts guaranteed;

  /**
   * @param ports the member ports, distinct, not negative
   * @param idealWeights their positive ideal weights
   * @param limit on the maximum oversubscription, at least 1; 1 asks for the nearest there is
   * @param layout which slots, on switches that leave the choice
   * @throws IllegalArgumentException if one of these does not hold
   */
  public GroupRequest(int[] ports, long[] idealWeights, Ratio limit, SlotLayout layout) {
    this(ports, idealWeights, limit, layout, Integer.MAX_VALUE);
  }

  /**
   * The same where ports may be left out.
   *
   * @param minNextHops member ports that get at least one slot; all if there are fewer
   */
  public GroupRequest(
      int[] ports, long[] idealWeights, Ratio limit, SlotLayout layout, int minNextHops) {
    if (ports.length != idealWeights.length) {
      throw new IllegalArgumentException(
          "ports has " + ports.length + " elements, idealWeights has " + idealWeights.length);
    }
    if (Arrays.stream(ports).distinct().count() < ports.length
        || Arrays.stream(ports).anyMatch(port -> port < 0)) {
      throw new IllegalArgumentException(
          "ports " + Arrays.toString(ports) + " must be distinct and not negative");
    }
    if (limit.compareTo(Ratio.ONE) < 0) {
      throw new IllegalArgumentException("limit is " + limit + "; it must be at least 1");
    }
    this.ports = ports.clone();
    this.idealWeights = idealWeights.clone();
    this.ideal = WeightVector.of(idealWeights);
    this.limit = limit;
    this.layout = layout;
    this.guaranteed = GuaranteedPorts.atLeast(ideal, minNextHops);
  }

  /** How many ports get at least one slot. */
  int leastPorts() {
    return guaranteed.count();
  }

  GuaranteedPorts guaranteed() {
    return guaranteed;
  }

  int[] ports() {
    return ports;
  }

  WeightVector ideal() {
    return ideal;
  }

  Ratio limit() {
    return limit;
  }

  /** Whether a realisation is of these very ports and within the limit. */
  boolean isMetBy(Realisation realisation) {
    return Arrays.stream(realisation.bucketPorts()).allMatch(this::isMember)
        && realisation.oversubscription(ports, idealWeights).compareTo(limit) <= 0
        && Arrays.stream(ports)
                .filter(port -> realisation.share(port).compareTo(Ratio.ZERO) > 0)
                .count()
            >= leastPorts();
  }

  private boolean isMember(int port) {
    return Arrays.stream(ports).anyMatch(member -> member == port);
  }

  /**
   * Counts of so many slots within the limit, as near as possible to those of a table; null if
   * there are none.
   *
   * @param installed the table now, or null
   */
  int[] countsWithin(int slots, SlotTable installed) {
    int[] now = new int[ports.length];
    if (installed != null) {
      SlotTable resized = installed.resized(slots);
      Arrays.setAll(now, i -> resized.count(ports[i]));
    }
    return LeastChurn.counts(ideal, guaranteed, limit, slots, now);
  }

  /**
   * Counts of so many slots with the least oversubscription.
   *
   * @throws TableTooSmallException if there are fewer slots than ports that cannot be left out
   */
  int[] nearestCounts(int slots) {
    Apportionment apportionment = new Apportionment(ideal, guaranteed);
    apportionment.shareOut(slots);
    return apportionment.copyEntries();
  }

  /** The least oversubscription of so many slots. */
  Ratio leastOversubscription(int slots) {
    return Oversubscription.of(ideal, nearestCounts(slots));
  }

  /** A table with these counts, grown out of the one installed (null if there is none). */
  int[] layOut(int[] counts, SlotTable installed) {
    int slots = Arrays.stream(counts).sum();
    return layout.layOut(
        installed == null ? null : installed.resized(slots).owners(), ports, counts);
  }
}
