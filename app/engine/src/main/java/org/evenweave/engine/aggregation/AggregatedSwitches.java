package org.evenweave.engine.aggregation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The switches that hold merged rules ({@link RouteAggregation}). The engine computes, plans and
 * verifies with a rule for each prefix; here these become the rules that the switch holds, and
 * those that it holds become these again. Whatever a round of a plan changes, each address goes
 * from its old route to its new one ({@link TableSteps}), so what is proved of the plan holds for
 * what the switches do. Belongs to the engine's loop.
 */
public final class AggregatedSwitches {
  private final SouthboundPort southbound;
  private final Executor loop;
  private final Supplier<EngineConfig> config;

  /** The prefixes of the fabric that was asked last. */
  private Set<Ipv4Prefix> prefixes = Set.of();

  private Fabric prefixesOf;

  /** By switch, what it holds where that is not just what the engine takes it to. */
  private final Map<String, SwitchTables> held = new HashMap<>();

  /** The switches that may hold merged rules that are not known, and have to be read first. */
  private final Set<String> unread = new HashSet<>();

  /** The switches that are to hold merged rules, and hold the fewest. */
  private final Set<String> merged = new HashSet<>();

  /** By switch that is being changed, what keeps its later steps from being sent. */
  private final Map<String, Change> changes = new HashMap<>();

  /**
   * @param loop the engine's
   * @param config in force, which says which switches hold merged rules
   */
  public AggregatedSwitches(
      SouthboundPort southbound, Executor loop, Supplier<EngineConfig> config) {
    this.southbound = southbound;
    this.loop = loop;
    this.config = config;
  }

  private boolean aggregates(String switchId) {
    return config.get().aggregating().contains(switchId);
  }

  /**
   * Takes what was read from a switch to be what it holds.
   *
   * @param known what it counts as holding, with a rule for each prefix; null if that is not known
   * @return what it holds, with a rule for each prefix; {@code known} if it holds what it should
   */
  public SwitchTables found(String switchId, SwitchTables read, SwitchTables known) {
    if (known != null && held.containsKey(switchId) && held.get(switchId).equals(read)) {
      return known;
    }
    SwitchTables expanded = expanded(read);
    unread.remove(switchId);
    hold(switchId, read, expanded);
    if (aggregates(switchId) && RouteAggregation.of(expanded, read).equals(read)) {
      merged.add(switchId);
    } else {
      merged.remove(switchId);
    }
    return expanded;
  }

  /** What a switch holds, with a rule for each prefix. */
  public SwitchTables expanded(SwitchTables tables) {
    Fabric present = config.get().intended();
    if (present != prefixesOf) {
      prefixes = new HashSet<>();
      for (int i = 0; i < present.subnetCount(); i++) {
        prefixes.add(present.subnetPrefix(i));
      }
      prefixesOf = present;
    }
    return AggregateExpansion.of(tables, prefixes);
  }

  private void hold(String switchId, SwitchTables tables, SwitchTables expanded) {
    if (tables == expanded || tables.equals(expanded)) {
      held.remove(switchId);
    } else {
      held.put(switchId, tables);
    }
  }

  /** What a switch holds that counts as holding these tables. */
  public SwitchTables held(String switchId, SwitchTables expanded) {
    return held.getOrDefault(switchId, expanded);
  }

  /** By switch that holds merged rules, how many rules it holds. */
  public Map<String, Integer> ruleCounts() {
    return held.entrySet().stream()
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, e -> e.getValue().flowCount()));
  }

  /** Whether a change under way deletes this rule. */
  public boolean isDeleting(String switchId, FlowRule rule) {
    Change change = changes.get(switchId);
    return change != null && change.deleted.contains(rule.key());
  }

  /** The switches of which {@link #isOutdated}; may have others that never connected. */
  public Set<String> outdated() {
    Set<String> outdated = new HashSet<>(config.get().aggregating());
    outdated.removeIf(merged::contains);
    held.keySet().stream().filter(id -> !aggregates(id)).forEach(outdated::add);
    return outdated;
  }

  /** Whether a switch's rules should be merged and are not, or are merged and should not be. */
  public boolean isOutdated(String switchId) {
    return aggregates(switchId) ? !merged.contains(switchId) : held.containsKey(switchId);
  }

  /**
   * The connection to a switch began or ended, or what it holds is not known any more: a change
   * under way ends with the step that was sent.
   */
  public void forget(String switchId) {
    boolean wasMerged = held.remove(switchId) != null;
    boolean wasChanging = changes.remove(switchId) != null;
    merged.remove(switchId);
    if (wasMerged || wasChanging) {
      unread.add(switchId);
    }
  }

  /**
   * Changes a switch as {@link SouthboundPort#apply} does, and puts its rules into the form that is
   * asked for; changes nothing else if no operations are given.
   *
   * @param before what it counts as holding, with a rule for each prefix
   * @param operations on rules for each prefix
   * @param outdated asked between steps: whether the change should end there, for a better one
   * @return what the switch holds then, with a rule for each prefix; null if these very operations
   *     were sent to it
   */
  public CompletableFuture<SwitchTables> apply(
      String switchId,
      SwitchTables before,
      List<SwitchOperation> operations,
      BooleanSupplier outdated) {
    if (unread.contains(switchId)) {
      return CompletableFuture.failedFuture(
          new SouthboundException(switchId, "connected again and has not been read yet"));
    }
    boolean isAggregated = aggregates(switchId);
    if (!isAggregated && !held.containsKey(switchId)) {
      merged.remove(switchId);
      return southbound.apply(switchId, operations).thenApply(nothing -> null);
    }
    SwitchTables now = held(switchId, before);
    SwitchTables expanded = before.after(operations);
    SwitchTables wanted = expanded;
    if (isAggregated) {
      wanted =
          merged.contains(switchId) && operations.stream().allMatch(AggregatedSwitches::isBeside)
              ? now.after(operations)
              : RouteAggregation.of(expanded, now);
    }
    List<List<SwitchOperation>> steps = TableSteps.between(now, wanted, operations);
    Change change = new Change(switchId, steps, now, expanded, isAggregated, outdated);
    changes.put(switchId, change);
    change.next(0);
    return change.done;
  }

  /** Whether a change has nothing to do with rules that could be merged. */
  private static boolean isBeside(SwitchOperation operation) {
    FlowRule rule = operation.flow();
    return rule == null
        || rule.match() != FlowRule.Match.IPV4_DESTINATION
        || rule.action() == FlowRule.Action.DELIVER;
  }

  /** A change of one switch. */
  private final class Change {
    final String switchId;
    final List<List<SwitchOperation>> steps;
    final SwitchTables expanded;
    final boolean isAggregated;
    final BooleanSupplier outdated;
    final Set<String> deleted;
    final CompletableFuture<SwitchTables> done = new CompletableFuture<>();
    private SwitchTables now;

    /**
     * @param now what the switch holds
     * @param expanded what it counts as holding afterwards
     */
    Change(
        String switchId,
        List<List<SwitchOperation>> steps,
        SwitchTables now,
        SwitchTables expanded,
        boolean isAggregated,
        BooleanSupplier outdated) {
      this.switchId = switchId;
      this.steps = steps;
      this.now = now;
      this.expanded = expanded;
      this.isAggregated = isAggregated;
      this.outdated = outdated;
      deleted =
          steps.stream()
              .flatMap(List::stream)
              .filter(operation -> operation.kind() == SwitchOperation.Kind.DELETE_FLOW)
              .map(operation -> operation.flow().key())
              .collect(Collectors.toSet());
    }

    void next(int step) {
      boolean isComplete = step == steps.size();
      if (isComplete || (step > 0 && outdated.getAsBoolean())) {
        finish(isComplete);
        return;
      }
      southbound
          .apply(switchId, steps.get(step))
          .whenComplete((nothing, error) -> loop.execute(() -> answered(step, error)));
    }

    private void answered(int step, Throwable error) {
      if (changes.get(switchId) != this) {
        done.completeExceptionally(
            error != null
                ? error
                : new SouthboundException(switchId, "connected again while it was changed"));
      } else if (error != null) {
        forget(switchId);
        done.completeExceptionally(error);
      } else {
        now = now.after(steps.get(step));
        held.put(switchId, now);
        next(step + 1);
      }
    }

    private void finish(boolean isComplete) {
      SwitchTables reached = isComplete ? expanded : expanded(now);
      changes.remove(switchId);
      hold(switchId, now, reached);
      if (isAggregated && isComplete) {
        merged.add(switchId);
      } else {
        merged.remove(switchId);
      }
      done.complete(reached);
    }
  }
}
