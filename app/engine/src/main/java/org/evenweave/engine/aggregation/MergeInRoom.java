package org.evenweave.engine.aggregation;

import java.util.ArrayList;
import java.util.List;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;

/**
 * The steps by which a switch comes to hold other rules, in their merged form, within its limit.
 *
 * <p>Where the table has no room for the old rules and the new ones together, the present rules are
 * merged first, and rules are deleted as soon as others route their addresses ({@link
 * StepsInRoom}). A table that is full needs a free entry for that, or more. The rules that send
 * packets to the controller ({@link #YIELDING}) yield theirs: nobody forwards such packets, and all
 * are repeated. They return as soon as there is room, at the latest when all prefixes have routes.
 * Where yielding would gain nothing, or would be permanent, they stay or come first: without them
 * the controller would lose the switch's links and hosts, and with these all traffic.
 */
final class MergeInRoom {
  /**
   * The first yields first: reverse ARP announces a moved host several times, links survive lost
   * probes, and hosts ask by ARP again.
   */
  private static final List<FlowRule> YIELDING =
      List.of(FlowRule.rarpToController(), FlowRule.lldpToController(), FlowRule.arpToController());

  private final int limit;
  private final boolean mayYield;
  private final List<List<SwitchOperation>> steps = new ArrayList<>();
  private final List<FlowRule> yielded;
  private MergedRules wanted;

  /**
   * @param held by the switch, with the rules that have yielded
   * @param yielded rules that it counts as holding and does not hold
   * @param expanded what it is to count as holding, with a rule for each prefix
   * @param asked the operations that lead there, on rules for each prefix
   * @param limit of its rules
   * @param mayYield whether there is room for all rules in the end
   */
  MergeInRoom(
      MergedRules held,
      List<FlowRule> yielded,
      SwitchTables expanded,
      List<SwitchOperation> asked,
      int limit,
      boolean mayYield) {
    this.yielded = new ArrayList<>(yielded);
    this.limit = limit;
    this.mayYield = mayYield;
    TableSteps changed = new TableSteps();
    wanted = held.wanting(expanded, changed).settled(changed);
    SwitchTables before = held.tables();
    int needed = changed.entries(before) + TableSteps.otherEntries(asked, before);
    if (needed <= Math.max(0, free(before))) {
      steps.addAll(changed.with(asked));
    } else {
      mergeFirst(held, expanded, yieldIn(asked));
    }
    restore(expanded);
  }

  private void mergeFirst(MergedRules present, SwitchTables expanded, List<SwitchOperation> asked) {
    List<SwitchOperation> redundant = StepsInRoom.redundant(present.tables());
    steps.add(redundant);
    MergedRules held =
        redundant.isEmpty()
            ? present
            : MergedRules.of(present.expanded(), present.tables().after(redundant));
    SwitchTables before = held.tables();
    List<SwitchOperation> first = TableSteps.onGroups(asked, false);
    TableSteps merging = new TableSteps();
    MergedRules merged = held.settled(merging);
    TableSteps changed = new TableSteps();
    wanted = merged.wanting(expanded, changed).settled(changed);
    StepsInRoom toMerged = merging.inRoom(before);
    StepsInRoom toWanted = changed.inRoom(merged.tables());
    List<FlowRule> yieldedBefore = List.copyOf(yielded);
    List<FlowRule> next = new ArrayList<>(mayYield ? YIELDING : List.of());
    next.removeIf(rule -> !before.hasMatchOf(rule) || yielded.contains(rule));
    boolean fits = toMerged.fit(free(before)) && toWanted.fit(free(merged.tables()));
    while (!fits && !next.isEmpty()) {
      yielded.add(next.remove(0));
      fits = toMerged.fit(free(before)) && toWanted.fit(free(merged.tables()));
    }
    if (!fits) {
      yielded.retainAll(yieldedBefore);
    }
    if (!fits && asked.stream().noneMatch(TableSteps::isOnDestination)) {
      // Only the form would change, and the present one does as well.
      wanted = held.wanting(expanded, new TableSteps());
      steps.add(first);
    } else {
      yielded.stream()
          .filter(rule -> !yieldedBefore.contains(rule))
          .forEach(rule -> first.add(SwitchOperation.deleteFlow(rule)));
      int taken = fits ? 0 : restoreFirst(first, before);
      steps.add(first);
      steps.addAll(toMerged.with(free(before) - taken));
      steps.addAll(toWanted.with(free(merged.tables()) - taken));
    }
    steps.add(TableSteps.onOtherRules(asked));
    steps.add(TableSteps.onGroups(asked, true));
    steps.removeIf(List::isEmpty);
  }

  /** The operations without those that put a rule that yields. */
  private List<SwitchOperation> yieldIn(List<SwitchOperation> asked) {
    List<SwitchOperation> others = new ArrayList<>();
    for (SwitchOperation operation : asked) {
      if (operation.kind() == SwitchOperation.Kind.PUT_FLOW
          && YIELDING.contains(operation.flow())) {
        yielded.add(operation.flow());
      } else {
        others.add(operation);
      }
    }
    return others;
  }

  /**
   * Puts those that have yielded before any rule of a prefix takes their room.
   *
   * @return the entries that they take beside those that {@link #free} counts
   */
  private int restoreFirst(List<SwitchOperation> first, SwitchTables before) {
    List<SwitchOperation> puts = restored(free(before));
    first.addAll(puts);
    return (int) puts.stream().filter(put -> !before.hasMatchOf(put.flow())).count();
  }

  /** Puts those that have yielded and for which there is room. */
  private void restore(SwitchTables expanded) {
    yielded.removeIf(rule -> !expanded.hasMatchOf(rule));
    List<SwitchOperation> puts = restored(yielded.isEmpty() ? 0 : free(wanted.tables()));
    if (!puts.isEmpty()) {
      steps.add(puts);
    }
  }

  /** Takes those out of {@link #yielded} for which there is room, the last first. */
  private List<SwitchOperation> restored(int room) {
    List<SwitchOperation> puts = new ArrayList<>();
    for (int i = YIELDING.size() - 1; i >= 0; i--) {
      FlowRule rule = YIELDING.get(i);
      if (puts.size() < room && yielded.remove(rule)) {
        puts.add(SwitchOperation.putFlow(rule));
      }
    }
    return puts;
  }

  /**
   * @param tables with the rules that have yielded, as far as they are in them
   */
  private int free(SwitchTables tables) {
    return limit - tables.flowCount() + (int) yielded.stream().filter(tables::hasMatchOf).count();
  }

  /** What the switch holds after the steps, with the rules that have yielded. */
  MergedRules wanted() {
    return wanted;
  }

  /** The rules that it counts as holding then and does not hold. */
  List<FlowRule> yielded() {
    return yielded;
  }

  List<List<SwitchOperation>> steps() {
    return steps;
  }
}
