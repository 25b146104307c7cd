package org.evenweave.engine.aggregation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The switches that hold merged rules ({@link MergedRules}). The engine computes, plans and
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

  /** By switch whose rules are merged, or not as the engine takes them to be, what it holds. */
  private final Map<String, MergedRules> held = new HashMap<>();

  /** By switch in {@link #held}, the rules that it counts as holding and does not hold. */
  private final Map<String, List<FlowRule>> yielded = new HashMap<>();

  /** By switch in {@link #held}, how many rules it holds. */
  private final Map<String, Integer> ruleCounts = new HashMap<>();

  /** Those that somebody asked for last; null if some have changed since. */
  private Map<String, Integer> ruleCountsCopy = Map.of();

  /** The switches that may hold merged rules that are not known, and have to be read first. */
  private final Set<String> unread = new HashSet<>();

  /** The switches that are to hold merged rules, and hold the fewest. */
  private final Set<String> merged = new HashSet<>();

  /** The switches that are to hold merged rules by the configuration that was asked last. */
  private Set<String> aggregating = Set.of();

  private EngineConfig aggregatingOf;

  private final ToIntFunction<String> rulesLimit;

  /** The switches whose rules are merged because there may be few, whatever the configuration. */
  private final Set<String> shortOfRules = new HashSet<>();

  /** The switches that cannot hold what the latest plan wants, in whatever form. */
  private Set<String> tooSmall = Set.of();

  /** The answer of {@link #outdated}; null if it may have changed. */
  private Set<String> outdated;

  /** By switch that is being changed, what keeps its later steps from being sent. */
  private final Map<String, Change> changes = new HashMap<>();

  /**
   * @param loop the engine's
   * @param config in force, which says which switches hold merged rules
   * @param rulesLimit how many rules a switch can hold
   */
  public AggregatedSwitches(
      SouthboundPort southbound,
      Executor loop,
      Supplier<EngineConfig> config,
      ToIntFunction<String> rulesLimit) {
    this.rulesLimit = rulesLimit;
    this.southbound = southbound;
    this.loop = loop;
    this.config = config;
  }

  /** The latest plan wants more rules of these switches than they can hold, in whatever form. */
  public void haveTooFewRules(Set<String> switchIds) {
    tooSmall = Set.copyOf(switchIds);
  }

  private boolean aggregates(String switchId) {
    EngineConfig present = config.get();
    if (present != aggregatingOf) {
      aggregating = new HashSet<>(present.aggregating());
      aggregatingOf = present;
      outdated = null;
    }
    return aggregating.contains(switchId) || shortOfRules.contains(switchId);
  }

  /**
   * Merges the rules of a switch from half of its limit on, and no longer below a quarter. While it
   * changes from one form to the other, a switch holds the rules of both. Rules for pairs are not
   * merged.
   *
   * @param rules that it is to hold, one for each prefix
   */
  private void follow(String switchId, int rules) {
    int limit = rulesLimit.applyAsInt(switchId);
    boolean isShort = shortOfRules.contains(switchId);
    boolean isMany = isShort ? rules >= limit / 4 : rules > limit / 2;
    boolean willBe = isMany && !config.get().weightRule().isByPair();
    if (willBe != isShort
        && (willBe ? shortOfRules.add(switchId) : shortOfRules.remove(switchId))) {
      outdated = null;
    }
  }

  private void setMerged(String switchId, boolean isMerged) {
    if (isMerged ? merged.add(switchId) : merged.remove(switchId)) {
      outdated = null;
    }
  }

  /**
   * What a switch holds, with a rule for each prefix, without taking it to hold that from now on.
   *
   * @param known what it is known to hold; null if nothing is
   */
  public SwitchTables seen(String switchId, SwitchTables read, SwitchTables known) {
    return holdsKnown(switchId, read, known) ? known : expanded(read);
  }

  private boolean holdsKnown(String switchId, SwitchTables read, SwitchTables known) {
    MergedRules rules = held.get(switchId);
    return known != null && rules != null && held(switchId, rules).equals(read);
  }

  /** What the switch really holds. */
  private SwitchTables held(String switchId, MergedRules rules) {
    List<SwitchOperation> missing = new ArrayList<>();
    yielded
        .getOrDefault(switchId, List.of())
        .forEach(rule -> missing.add(SwitchOperation.deleteFlow(rule)));
    return missing.isEmpty() ? rules.tables() : rules.tables().after(missing);
  }

  /**
   * Takes what was read from a switch to be what it holds.
   *
   * @param known what it counts as holding, with a rule for each prefix; null if that is not known
   * @return what it holds, with a rule for each prefix; {@code known} if it holds what it should
   */
  public SwitchTables found(String switchId, SwitchTables read, SwitchTables known) {
    if (holdsKnown(switchId, read, known)) {
      return known;
    }
    SwitchTables expanded = expanded(read);
    unread.remove(switchId);
    hold(switchId, read, expanded);
    setMerged(switchId, aggregates(switchId) && held.get(switchId).changes() == 0);
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
    boolean isPlain = !aggregates(switchId) && tables.equals(expanded);
    hold(switchId, isPlain ? null : MergedRules.of(expanded, tables));
  }

  /**
   * @param rules null if a switch holds just what the engine takes it to, or that is not known
   */
  private void hold(String switchId, MergedRules rules) {
    yielded.remove(switchId);
    Integer count = rules == null ? null : rules.ruleCount();
    Integer before = rules == null ? ruleCounts.remove(switchId) : ruleCounts.put(switchId, count);
    ruleCountsCopy = Objects.equals(before, count) ? ruleCountsCopy : null;
    MergedRules former = rules == null ? held.remove(switchId) : held.put(switchId, rules);
    outdated = (former == null) == (rules == null) ? outdated : null;
  }

  /** What a switch holds that counts as holding these tables. */
  public SwitchTables held(String switchId, SwitchTables expanded) {
    Change change = changes.get(switchId);
    if (change != null && change.now != null) {
      return change.now;
    }
    MergedRules rules = held.get(switchId);
    return rules == null ? expanded : held(switchId, rules);
  }

  /** By switch that holds merged rules, how many rules it holds. */
  public Map<String, Integer> ruleCounts() {
    if (ruleCountsCopy == null) {
      ruleCountsCopy = Collections.unmodifiableMap(new HashMap<>(ruleCounts));
    }
    return ruleCountsCopy;
  }

  /** Whether a change in progress deletes this rule. */
  public boolean isDeleting(String switchId, FlowRule rule) {
    Change change = changes.get(switchId);
    return change != null && change.deletes(rule.key());
  }

  /** The switches of which {@link #isOutdated}; may have others that never connected. */
  public Set<String> outdated() {
    EngineConfig present = config.get();
    if (outdated == null || present != aggregatingOf) {
      Set<String> all = new HashSet<>(present.aggregating());
      all.addAll(held.keySet());
      all.addAll(shortOfRules);
      all.removeIf(switchId -> !isOutdated(switchId));
      outdated = Collections.unmodifiableSet(all);
    }
    return outdated;
  }

  /** Whether a switch's rules should be merged and are not, or are merged and should not be. */
  public boolean isOutdated(String switchId) {
    return aggregates(switchId) ? !merged.contains(switchId) : held.containsKey(switchId);
  }

  /**
   * The connection to a switch began or ended, or what it holds is not known any more: a change in
   * progress ends with the step that was sent.
   */
  public void forget(String switchId) {
    boolean wasMerged = held.containsKey(switchId);
    hold(switchId, null);
    boolean wasChanging = changes.remove(switchId) != null;
    setMerged(switchId, false);
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
          new SouthboundException(switchId, "reconnected and has not been read yet"));
    }
    if (rulesLimit.applyAsInt(switchId) != Fabric.UNLIMITED || shortOfRules.contains(switchId)) {
      follow(switchId, before.after(operations).flowCount());
    }
    boolean isAggregated = aggregates(switchId);
    if (!isAggregated && !held.containsKey(switchId)) {
      setMerged(switchId, false);
      return southbound.apply(switchId, operations).thenApply(nothing -> null);
    }
    MergedRules now = held.get(switchId);
    now = now == null ? MergedRules.of(before, before) : now;
    SwitchTables expanded = before.after(operations);
    Change change = new Change(switchId, now, expanded, operations, outdated);
    changes.put(switchId, change);
    change.next(0);
    return change.done;
  }

  /** A change of one switch. */
  private final class Change {
    final String switchId;
    final MergedRules before;
    final SwitchTables expanded;

    /** What the switch holds then; null if a rule for each prefix. */
    final MergedRules wanted;

    final List<List<SwitchOperation>> steps;
    final List<FlowRule> yieldedThen;
    final BooleanSupplier outdated;
    final CompletableFuture<SwitchTables> done = new CompletableFuture<>();

    /** What the switch holds between steps; null before the second. */
    private SwitchTables now;

    /**
     * @param before what the switch holds
     * @param expanded what it counts as holding afterwards
     */
    Change(
        String switchId,
        MergedRules before,
        SwitchTables expanded,
        List<SwitchOperation> operations,
        BooleanSupplier outdated) {
      this.switchId = switchId;
      this.before = before;
      this.expanded = expanded;
      this.outdated = outdated;
      if (aggregates(switchId)) {
        MergeInRoom merging =
            new MergeInRoom(
                before,
                yielded.getOrDefault(switchId, List.of()),
                expanded,
                operations,
                rulesLimit.applyAsInt(switchId),
                !tooSmall.contains(switchId));
        wanted = merging.wanted();
        steps = merging.steps();
        yieldedThen = merging.yielded();
      } else {
        wanted = null;
        List<SwitchOperation> all = new ArrayList<>(operations);
        yielded
            .getOrDefault(switchId, List.of())
            .forEach(rule -> all.add(SwitchOperation.putFlow(rule)));
        steps = TableSteps.between(before.tables(), expanded).with(all);
        yieldedThen = List.of();
      }
    }

    boolean deletes(String key) {
      return steps.stream()
          .flatMap(List::stream)
          .anyMatch(
              operation ->
                  operation.kind() == SwitchOperation.Kind.DELETE_FLOW
                      && operation.flow().key().equals(key));
    }

    void next(int step) {
      if (step == steps.size()) {
        finish();
      } else if (step > 0 && outdated.getAsBoolean()) {
        finishEarly();
      } else {
        southbound
            .apply(switchId, steps.get(step))
            .whenComplete((nothing, error) -> loop.execute(() -> answered(step, error)));
      }
    }

    private void answered(int step, Throwable error) {
      if (changes.get(switchId) != this) {
        done.completeExceptionally(
            error != null
                ? error
                : new SouthboundException(switchId, "reconnected during a change"));
      } else if (error != null) {
        forget(switchId);
        done.completeExceptionally(error);
      } else {
        if (step < steps.size() - 1) {
          now = (now == null ? held(switchId, before) : now).after(steps.get(step));
        }
        next(step + 1);
      }
    }

    private void finish() {
      changes.remove(switchId);
      hold(switchId, wanted);
      if (!yieldedThen.isEmpty()) {
        yielded.put(switchId, yieldedThen);
      }
      setMerged(switchId, wanted != null);
      done.complete(expanded);
    }

    private void finishEarly() {
      SwitchTables reached = expanded(now);
      changes.remove(switchId);
      hold(switchId, now, reached);
      setMerged(switchId, false);
      done.complete(reached);
    }
  }
}
