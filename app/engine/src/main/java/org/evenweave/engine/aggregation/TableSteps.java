package org.evenweave.engine.aggregation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.port.TablesDifference;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The changes from one form of a switch's rules to another, in steps, each to be confirmed before
 * the next is sent.
 *
 * <p>First rules are put, each after those for longer prefixes inside its own; then rules are
 * deleted, each after those for shorter prefixes around its own. So at every moment, whichever
 * changes of the present step have taken effect or are refused, each address has its old route or
 * its new one. Take the longest of the prefixes that have a rule before or after and hold the
 * address. If it has a rule after, that is put before any shorter prefix changes, and no longer one
 * was ever there: the address has its old route until then, and its new route from then on. If it
 * has none after, its old rule decides until that is deleted, when all shorter prefixes around have
 * their new rules. {@code UpdatePlan} and {@code PlanVerifier} rely on this and nothing else: a
 * switch that is being changed may already use the new rule of an address or still the old one.
 */
final class TableSteps {
  private final TreeMap<Ipv4Prefix, FlowRule> puts = new TreeMap<>();

  /** Some may be for prefixes for which a rule of another kind is put. */
  private final TreeMap<Ipv4Prefix, FlowRule> deletions = new TreeMap<>();

  /** Those between two tables. */
  static TableSteps between(SwitchTables before, SwitchTables after) {
    TableSteps steps = new TableSteps();
    TablesDifference.ofFlows(
        before,
        after,
        (old, rule) -> {
          if (isForDestination(rule == null ? old : rule)) {
            steps.add(old, rule);
          }
        });
    return steps;
  }

  /**
   * Adds a change. Where a rule of another kind takes the place of one, the two may be added by
   * themselves.
   *
   * @param old the rule for a prefix, or null
   * @param rule the rule for it afterwards, or null
   */
  void add(FlowRule old, FlowRule rule) {
    if (rule == null) {
      deletions.put(old.prefix(), old);
    } else if (!rule.equals(old)) {
      puts.put(rule.prefix(), rule);
    }
  }

  /** How many rules are put for which no rule of the same match is held. */
  int entries(SwitchTables before) {
    return (int) puts.values().stream().filter(rule -> !before.hasMatchOf(rule)).count();
  }

  /**
   * All steps.
   *
   * @param asked the changes that the engine asked for; those of groups, and of rules that do not
   *     match a destination alone, are in the steps as they are
   */
  List<List<SwitchOperation>> with(List<SwitchOperation> asked) {
    List<SwitchOperation> first = onGroups(asked, false);
    first.addAll(onOtherRules(asked));
    deletions.keySet().removeAll(puts.keySet());
    List<List<SwitchOperation>> all = new ArrayList<>(List.of(first));
    List<List<SwitchOperation>> putSteps = putSteps();
    if (!putSteps.isEmpty()) {
      first.addAll(putSteps.get(0));
      all.addAll(putSteps.subList(1, putSteps.size()));
    }
    all.addAll(deletionSteps(deletions));
    all.add(onGroups(asked, true));
    all.removeIf(List::isEmpty);
    return all;
  }

  /** The operations on groups: those that delete one, or all others. */
  static List<SwitchOperation> onGroups(List<SwitchOperation> asked, boolean areDeletions) {
    List<SwitchOperation> some = new ArrayList<>();
    for (SwitchOperation operation : asked) {
      boolean isDeletion = operation.kind() == SwitchOperation.Kind.DELETE_GROUP;
      if (operation.flow() == null && isDeletion == areDeletions) {
        some.add(operation);
      }
    }
    return some;
  }

  static boolean isOnDestination(SwitchOperation operation) {
    return operation.flow() != null && isForDestination(operation.flow());
  }

  /** The operations on rules that do not match a destination alone. */
  static List<SwitchOperation> onOtherRules(List<SwitchOperation> asked) {
    List<SwitchOperation> some = new ArrayList<>();
    for (SwitchOperation operation : asked) {
      if (operation.flow() != null && !isOnDestination(operation)) {
        some.add(operation);
      }
    }
    return some;
  }

  /** How many of {@link #onOtherRules} put a rule of whose match none is held. */
  static int otherEntries(List<SwitchOperation> asked, SwitchTables before) {
    return (int)
        onOtherRules(asked).stream()
            .filter(operation -> operation.kind() == SwitchOperation.Kind.PUT_FLOW)
            .filter(operation -> !before.hasMatchOf(operation.flow()))
            .count();
  }

  /**
   * The same changes for a table that has little room.
   *
   * @param before the rules held
   */
  StepsInRoom inRoom(SwitchTables before) {
    deletions.keySet().removeAll(puts.keySet());
    List<Ipv4Prefix> held = new ArrayList<>();
    before.forEachFlow(
        rule -> {
          if (isForDestination(rule)) {
            held.add(rule.prefix());
          }
        });
    return new StepsInRoom(puts, deletions, held);
  }

  private static boolean isForDestination(FlowRule rule) {
    return rule.match() == FlowRule.Match.IPV4_DESTINATION;
  }

  /** The rules to put, by how many others lie inside them, one in the other. */
  private List<List<SwitchOperation>> putSteps() {
    List<List<SwitchOperation>> steps = new ArrayList<>();
    // From the last prefix to the first, those inside another come before it.
    Deque<Ipv4Prefix> inside = new ArrayDeque<>();
    Deque<Integer> stepOf = new ArrayDeque<>();
    puts.descendingMap()
        .forEach(
            (prefix, rule) -> {
              int step = 0;
              while (!inside.isEmpty() && prefix.overlaps(inside.peek())) {
                inside.pop();
                step = Math.max(step, stepOf.pop() + 1);
              }
              inside.push(prefix);
              stepOf.push(step);
              add(SwitchOperation.putFlow(rule), step, steps);
            });
    steps.forEach(Collections::reverse);
    return steps;
  }

  /** The rules to delete, by how many others lie around them. */
  static List<List<SwitchOperation>> deletionSteps(TreeMap<Ipv4Prefix, FlowRule> deletions) {
    List<List<SwitchOperation>> steps = new ArrayList<>();
    Deque<Ipv4Prefix> around = new ArrayDeque<>();
    deletions.forEach(
        (prefix, rule) -> {
          while (!around.isEmpty() && !around.peek().overlaps(prefix)) {
            around.pop();
          }
          add(SwitchOperation.deleteFlow(rule), around.size(), steps);
          around.push(prefix);
        });
    return steps;
  }

  private static void add(SwitchOperation operation, int step, List<List<SwitchOperation>> steps) {
    while (steps.size() <= step) {
      steps.add(new ArrayList<>());
    }
    steps.get(step).add(operation);
  }
}
