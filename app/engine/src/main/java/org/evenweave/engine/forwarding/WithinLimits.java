package org.evenweave.engine.forwarding;

import java.util.List;
import java.util.function.Function;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.weights.IdealGroup;

/**
 * The groups of one switch within all its limits together.
 *
 * <p>Where it can have enough groups, each set of next hops and weights has one. Otherwise sets
 * share groups ({@link SharingOfGroups}). Where the table limits how near the shared groups come to
 * their weights, fewer groups of more entries each may be better for the worst: half as many are
 * tried for as long as that helps. What no group can serve has a plain rule, so forwarding goes on
 * whatever the limits are; then there is a fault that names the limit and what would do.
 */
final class WithinLimits {
  private final Limits limits;
  private final int minNextHops;
  private final List<SharedGroup> wanted;
  private final Function<List<SharedGroup>, List<BucketAllocator.GroupLayout>> allocator;
  private final Function<IdealGroup, int[]> portsOf;
  private SharingOfGroups sharing;
  private List<BucketAllocator.GroupLayout> layouts;
  private double worst;
  private SharingCost cost = SharingCost.NONE;
  private String fault = "";

  /**
   * @param wanted one for each set of next hops and weights
   * @param allocator lays groups out; throws a {@link CannotFitException} if they do not fit
   * @param portsOf the ports of a group
   * @param hasPairs whether some are for pairs, which do not share
   * @param isStrict whether to throw where there would be a fault
   */
  WithinLimits(
      String switchId,
      Limits limits,
      int minNextHops,
      List<SharedGroup> wanted,
      Function<List<SharedGroup>, List<BucketAllocator.GroupLayout>> allocator,
      Function<IdealGroup, int[]> portsOf,
      boolean hasPairs,
      boolean isStrict) {
    this.limits = limits;
    this.minNextHops = minNextHops;
    this.wanted = wanted;
    this.allocator = allocator;
    this.portsOf = portsOf;
    boolean mayShare = limits.groups() < Fabric.UNLIMITED;
    CannotFitException problem = null;
    if (wanted.size() <= limits.groups()) {
      try {
        sharing = SharingOfGroups.none(wanted);
        layouts = allocator.apply(wanted);
        return;
      } catch (CannotFitException e) {
        problem = e;
      }
    }
    if (hasPairs) {
      throw problem != null
          ? problem
          : CannotFitException.noGroupsForPairs(switchId, wanted.size(), limits.groups());
    }
    if (isStrict && !mayShare) {
      throw problem;
    }
    share();
    if (problem == null && !sharing.alone().isEmpty()) {
      int enough = SharingOfGroups.enough(wanted, limits.groups(), minNextHops);
      problem =
          CannotFitException.tooManyGroups(
              switchId, wanted.size(), limits.groups(), sharing.alone().size(), enough);
    }
    if (isStrict && !sharing.alone().isEmpty()) {
      throw problem;
    }
    if (problem != null && (!mayShare || !sharing.alone().isEmpty())) {
      fault = problem.getMessage() + how();
    }
  }

  private String how() {
    return sharing.alone().isEmpty()
        ? ": destinations share groups"
        : ": " + sharing.alone().size() + " of its sets of next hops have one next hop each";
  }

  private void share() {
    sharing = null;
    int most = Math.min(limits.groups(), wanted.size());
    SharingOfGroups ofAllGroups = SharingOfGroups.of(wanted, most, minNextHops);
    choose(ofAllGroups, most);
    // With fewer groups nothing is better than the bound for all; it is one for as many alone.
    boolean isBound = sharing.alone().size() == ofAllGroups.alone().size();
    cost =
        new SharingCost(
            sharing.cost().oversubscription(),
            isBound ? ofAllGroups.cost().leastOversubscription() : 1);
  }

  private void choose(SharingOfGroups ofAllGroups, int most) {
    SharingOfGroups tried = ofAllGroups;
    for (int count = most; sharing == null || count > 0; ) {
      if (sharing != null && tried.alone().size() > sharing.alone().size()) {
        return;
      }
      // Only a table without room keeps the worst away from what sharing allows.
      if (fits(tried) && worst <= tried.cost().oversubscription() * (1 + 1e-6)) {
        return;
      }
      count /= 2;
      tried = SharingOfGroups.of(wanted, count, minNextHops);
    }
  }

  /** Takes a sharing whose groups fit, if it is the first or better than the one before. */
  private boolean fits(SharingOfGroups tried) {
    List<BucketAllocator.GroupLayout> laidOut;
    try {
      laidOut = allocator.apply(tried.groups());
    } catch (CannotFitException e) {
      return false; // Fewer groups will do: none fits any table.
    }
    double worstNow = worst(tried, laidOut);
    if (sharing == null || worstNow < worst) {
      sharing = tried;
      layouts = laidOut;
      worst = worstNow;
    }
    return true;
  }

  private double worst(SharingOfGroups tried, List<BucketAllocator.GroupLayout> laidOut) {
    Ratio highest = Ratio.ONE;
    for (int g = 0; g < laidOut.size(); g++) {
      for (IdealGroup ideal : tried.groups().get(g).served) {
        Ratio now =
            laidOut.get(g).realisation.oversubscription(portsOf.apply(ideal), ideal.weights());
        highest = now.compareTo(highest) > 0 ? now : highest;
      }
    }
    return highest.toDouble();
  }

  SharingOfGroups sharing() {
    return sharing;
  }

  /** Aligned with the groups of {@link #sharing}. */
  List<BucketAllocator.GroupLayout> layouts() {
    return layouts;
  }

  /** What sharing costs in shares, and the least that it can cost. */
  SharingCost cost() {
    return cost;
  }

  /** What cannot be done within the limits, and what is done instead; empty if all can. */
  String fault() {
    return fault;
  }
}
