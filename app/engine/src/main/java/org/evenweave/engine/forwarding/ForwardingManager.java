package org.evenweave.engine.forwarding;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.evenweave.engine.aggregation.AggregatedSwitches;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.engine.runtime.StageTimes;

/**
 * The Forwarding Manager (Tewari 2015, section 3.6): knows what every switch holds, because it read
 * it or because the switch confirmed it, and carries out one plan at a time. Owned by the loop.
 */
public final class ForwardingManager {
  /**
   * How long a switch may decide by its old tables after it confirmed a change. Open vSwitch sends
   * the barrier's reply before it has revised the flows that it caches: by a few milliseconds if it
   * is idle, and more if it has many flows or waits for a core; switches in hardware lag too
   * (Kuzniar et al., "Providing reliable FIB update acknowledgments in SDN", CoNEXT 2014). Only
   * what is not urgent waits.
   */
  public static final long SETTLING_NANOS = 100_000_000L;

  private final SouthboundPort southbound;
  private final EngineLoop loop;
  private final StageTimes times;
  private final AggregatedSwitches aggregated;

  /** By switch, what it holds, with a rule for each prefix whether it holds merged ones or not. */
  private final Map<String, SwitchTables> installed = new HashMap<>();

  /** What was {@link #installed} when somebody asked last, and what has changed since. */
  private InstalledTables copy = InstalledTables.NONE;

  private Map<String, SwitchTables> changedSinceCopy = new HashMap<>();

  /** Switches that have to be read: what they hold is as it was known last, or not known. */
  private final Set<String> unread = new HashSet<>();

  private final RequestedChanges requested;
  private final SwitchLimits limits;
  private ReadListener readings = (switchId, believed, reading, isFirst, askedNanos) -> {};

  /** The plan that is being carried out; null if none is. */
  private PlanExecution execution;

  /**
   * @param config in force
   */
  public ForwardingManager(
      SouthboundPort southbound, EngineLoop loop, StageTimes times, Supplier<EngineConfig> config) {
    this.southbound = southbound;
    limits = new SwitchLimits(southbound, config);
    this.loop = loop;
    this.times = times;
    aggregated = new AggregatedSwitches(southbound, loop, config, limits::rules);
    requested = new RequestedChanges(loop::nanoTime, SETTLING_NANOS);
  }

  /**
   * What the switches hold now, by switch id, with a rule for each prefix; not to be changed. A
   * switch that is not connected holds what it held last; one whose tables are unknown is missing.
   */
  public Map<String, SwitchTables> installed() {
    return copy();
  }

  private InstalledTables copy() {
    if (!changedSinceCopy.isEmpty()) {
      copy = copy.with(changedSinceCopy);
      changedSinceCopy = new HashMap<>();
    }
    return copy;
  }

  /** By switch that holds merged rules, how many rules it holds. */
  public Map<String, Integer> mergedRuleCounts() {
    return aggregated.ruleCounts();
  }

  /** What a switch holds, or held when it was connected last; null if that is not known. */
  public SwitchTables tables(String switchId) {
    return installed.get(switchId);
  }

  /** Whether the switch's tables are known. */
  public boolean knows(String switchId) {
    return installed.containsKey(switchId) && !unread.contains(switchId);
  }

  /** Whether the tables of all switches to program are known; if not, a plan could be wrong. */
  public boolean knowsAll(Snapshot snapshot) {
    return unread.stream().noneMatch(snapshot::isPresent) && copy().hasAllOf(snapshot);
  }

  /** Whether these are the tables that count as installed in a switch. */
  public boolean holds(String switchId, SwitchTables tables) {
    return tables.equals(installed.get(switchId));
  }

  /**
   * @param tables null if they are not known any more
   */
  private void hold(String switchId, SwitchTables tables) {
    changedSinceCopy.put(switchId, tables);
    if (tables == null) {
      installed.remove(switchId);
    } else {
      installed.put(switchId, tables);
    }
  }

  /** As {@link SouthboundPort#groupIds}. */
  public IntStream groupIds(String switchId) {
    return southbound.groupIds(switchId);
  }

  /** How much the tables of switches hold. */
  public SwitchLimits limits() {
    return limits;
  }

  /** Tells this one, and no other, of what is read. */
  public void onRead(ReadListener listener) {
    readings = listener;
  }

  /** Whether a plan is being carried out. */
  public boolean busy() {
    return execution != null;
  }

  /** The switch's connection began or ended: it goes on with what it holds, until it is read. */
  public void mustBeRead(String switchId) {
    aggregated.forget(switchId);
    limits.learned().forget(switchId);
    unread.add(switchId);
  }

  /** Takes a switch that cannot be read to hold these tables. */
  public void assume(String switchId, SwitchTables tables) {
    hold(switchId, tables);
    unread.add(switchId);
  }

  /**
   * Reads a switch's tables.
   *
   * @param done called on the loop with the tables, or with null and why they could not be read
   */
  public void read(String switchId, BiConsumer<SwitchTables, Throwable> done) {
    long askedNanos = loop.nanoTime();
    onLoop(
        southbound.readAll(switchId),
        (read, error) -> {
          SwitchTables tables =
              error == null
                  ? aggregated.found(switchId, read.own(), installed.get(switchId))
                  : null;
          if (error == null) {
            limits.learned().read(switchId, read.own());
            readings.read(
                switchId, installed.get(switchId), read, unread.contains(switchId), askedNanos);
          }
          if (error == null && !tables.equals(installed.get(switchId))) {
            hold(switchId, tables);
          }
          if (error == null) {
            unread.remove(switchId);
          }
          done.accept(tables, error);
        });
  }

  /**
   * Reads a switch's tables to see whether they are as installed; if not, what was read counts from
   * now on. What is read while the switch is being changed, or arrives only after that, may be from
   * before or after the change, and counts for nothing.
   *
   * @param done called on the loop
   */
  public void audit(String switchId, Consumer<AuditFinding> done) {
    compare(
        switchId,
        (read, believed) -> {
          SwitchTables tables = aggregated.found(switchId, read, believed);
          if (!tables.equals(believed)) {
            hold(switchId, tables);
          }
          return tables;
        },
        done);
  }

  /**
   * Compares as {@link #audit} does, and changes nothing: what counted as installed goes on
   * counting, so nothing is repaired.
   *
   * @param done called on the loop
   */
  public void inspect(String switchId, Consumer<AuditFinding> done) {
    compare(switchId, (read, believed) -> aggregated.seen(switchId, read, believed), done);
  }

  /**
   * @param found from what was read and what counts as installed to what the switch holds
   */
  private void compare(
      String switchId, BinaryOperator<SwitchTables> found, Consumer<AuditFinding> done) {
    SwitchTables believed = installed.get(switchId);
    int asked = requested.timesAsked(switchId);
    long askedNanos = loop.nanoTime();
    onLoop(
        southbound.readAll(switchId),
        (read, error) -> {
          AuditFinding.Kind kind = AuditFinding.Kind.AS_INSTALLED;
          SwitchTables tables = null;
          if (error == null) {
            readings.read(switchId, believed, read, false, askedNanos);
          }
          if (error != null) {
            kind = AuditFinding.Kind.UNREAD;
          } else if (believed == null
              || installed.get(switchId) != believed
              || requested.timesAsked(switchId) != asked) {
            kind = AuditFinding.Kind.OVERTAKEN;
            tables = aggregated.expanded(read.own());
          } else {
            tables = found.apply(read.own(), believed);
            if (!tables.equals(believed)) {
              kind = AuditFinding.Kind.DRIFTED;
            }
          }
          done.accept(
              new AuditFinding(kind, believed, tables, error == null ? "" : messageOf(error)));
        });
  }

  /**
   * Whether a rule that a switch no longer holds should be there: it counts as held, and no plan is
   * deleting it now.
   */
  public boolean misses(String switchId, FlowRule rule) {
    SwitchTables tables = installed.get(switchId);
    return tables != null
        && aggregated.held(switchId, tables).hasMatchOf(rule)
        && !aggregated.isDeleting(switchId, rule)
        && !requested.isDeleting(switchId, rule);
  }

  /**
   * Takes the switches to {@code desired}, round by round. The first round in which a switch fails
   * is the last one; the tables of switches that failed are unknown afterwards.
   *
   * @throws UnsafePlanException if packets could loop or vanish at some step; nothing is changed
   */
  public void reach(DesiredState desired, PlanListener listener) {
    aggregated.haveTooFewRules(desired.beyondRules().keySet());
    UpdatePlan plan =
        times.time(
            StageTimes.Stage.PLAN,
            () -> UpdatePlan.between(installed(), desired, aggregated.outdated()));
    long began = System.nanoTime();
    PlanVerifier.requireSafe(plan.rounds(), installed(), desired);
    times.add(StageTimes.Stage.VERIFY, System.nanoTime() - began);
    times.finish();
    carryOut(plan, listener, () -> plan.switchIds().forEach(id -> share(id, desired.tables(id))));
  }

  /** Keeps equal tables as one object, by which the next compilation knows that nothing changed. */
  private void share(String switchId, SwitchTables wanted) {
    if (wanted != null && wanted.equals(installed.get(switchId))) {
      hold(switchId, wanted);
    }
  }

  /**
   * Takes switches to tables that differ from those installed in next hops given up, or taken back
   * after that, and in rules of hosts. Any order is safe.
   */
  public void prune(Map<String, SwitchTables> tables, PlanListener listener) {
    carryOut(UpdatePlan.inOneRound(installed, tables), listener, () -> {});
  }

  /** Something changed: ends the wait of a plan that is outdated by it. */
  public void reconsider() {
    if (execution != null) {
      execution.reconsider();
    }
  }

  /**
   * Has the loop handle what comes of a request. A defect there is one of a task of the loop, which
   * logs it; a future would keep it to itself.
   */
  <T> void onLoop(CompletableFuture<T> future, BiConsumer<T, Throwable> handler) {
    future.whenComplete((value, error) -> loop.execute(() -> handler.accept(value, error)));
  }

  private void carryOut(UpdatePlan plan, PlanListener listener, Runnable before) {
    execution =
        new PlanExecution(
            this,
            plan,
            listener,
            outcome -> {
              execution = null;
              before.run();
              listener.ended(outcome);
            });
    execution.proceed();
  }

  /**
   * Asks switches for changes.
   *
   * @param operations by switch id
   * @param outdated asked while a switch is changed in steps: whether to end there
   * @param done called on the loop for each switch, with null once it has confirmed, or with why it
   *     failed; then its tables are unknown
   */
  void apply(
      Map<String, List<SwitchOperation>> operations,
      BooleanSupplier outdated,
      BiConsumer<String, String> done) {
    operations.forEach(requested::asked);
    operations.forEach(
        (switchId, list) ->
            onLoop(
                aggregated.apply(
                    switchId, installed.getOrDefault(switchId, SwitchTables.EMPTY), list, outdated),
                (reached, error) -> {
                  requested.ended(switchId, list);
                  if (error != null) {
                    limits.learned().refused(switchId, reasonOf(error), list);
                    hold(switchId, null);
                  } else if (installed.containsKey(switchId)) {
                    SwitchTables now = installed.get(switchId);
                    hold(switchId, reached == null ? now.after(list) : reached);
                  }
                  done.accept(switchId, error == null ? null : messageOf(error));
                }));
  }

  /** Whether any of these was changed in steps and ended early. */
  boolean isAnyUnfinished(Collection<String> switchIds) {
    return switchIds.stream().anyMatch(aggregated::isOutdated);
  }

  /** Until every switch decides by the tables that it has confirmed; 0 or less if all do. */
  long untilSettledNanos() {
    return requested.untilSettledNanos();
  }

  void later(Runnable task, long delayNanos) {
    loop.schedule(task, delayNanos);
  }

  private static SouthboundException.Reason reasonOf(Throwable error) {
    Throwable cause = causeOf(error);
    return cause instanceof SouthboundException
        ? ((SouthboundException) cause).reason()
        : SouthboundException.Reason.OTHER;
  }

  private static Throwable causeOf(Throwable error) {
    return error instanceof CompletionException && error.getCause() != null
        ? error.getCause()
        : error;
  }

  static String messageOf(Throwable error) {
    Throwable cause = causeOf(error);
    return cause instanceof SouthboundException ? cause.getMessage() : cause.toString();
  }
}
