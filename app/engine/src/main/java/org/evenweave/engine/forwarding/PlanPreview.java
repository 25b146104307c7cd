package org.evenweave.engine.forwarding;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;

/** The plan that would take switches to other tables, round by round. Nothing is changed. */
public final class PlanPreview {
  private final List<Round> rounds = new ArrayList<>();
  private final int groupChanges;
  private final int flowChanges;

  private PlanPreview(UpdatePlan plan) {
    for (int r = 0; r < plan.roundCount(); r++) {
      rounds.add(new Round(plan.round(r), plan.waitsBefore(r)));
    }
    groupChanges = plan.groupChanges();
    flowChanges = plan.flowChanges();
  }

  /**
   * Makes and checks the plan as {@link ForwardingManager#reach} does.
   *
   * @param installed what the switches hold now, by switch id
   * @throws UnsafePlanException if packets could loop or vanish at some step
   */
  public static PlanPreview of(Map<String, SwitchTables> installed, DesiredState desired) {
    UpdatePlan plan = UpdatePlan.between(installed, desired);
    PlanVerifier.requireSafe(plan.rounds(), installed, desired);
    return new PlanPreview(plan);
  }

  /** In the order in which they would be carried out. */
  public List<Round> rounds() {
    return Collections.unmodifiableList(rounds);
  }

  /** Groups that would be added, changed or deleted. */
  public int groupChanges() {
    return groupChanges;
  }

  /** Rules that would be put or deleted. */
  public int flowChanges() {
    return flowChanges;
  }

  /** What would be asked of switches at the same time. */
  public static final class Round {
    private final SortedSet<String> switchIds;
    private final Map<SwitchOperation.Kind, Integer> counts =
        new EnumMap<>(SwitchOperation.Kind.class);

    private final boolean waits;

    Round(Map<String, List<SwitchOperation>> operations, boolean waits) {
      switchIds = new TreeSet<>(operations.keySet());
      operations
          .values()
          .forEach(list -> list.forEach(each -> counts.merge(each.kind(), 1, Integer::sum)));
      this.waits = waits;
    }

    /** The switches that would change. */
    public SortedSet<String> switchIds() {
      return Collections.unmodifiableSortedSet(switchIds);
    }

    /** How many operations of a kind there would be in all switches together. */
    public int count(SwitchOperation.Kind kind) {
      return counts.getOrDefault(kind, 0);
    }

    /** Whether it begins only when the switches of the round before had time to settle. */
    public boolean waits() {
      return waits;
    }
  }
}
