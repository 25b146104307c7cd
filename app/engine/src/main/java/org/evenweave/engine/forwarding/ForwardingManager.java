package org.evenweave.engine.forwarding;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.runtime.EngineLoop;

/**
 * The Forwarding Manager (Tewari 2015, section 3.6): knows what every switch holds, because it read
 * it or because the switch confirmed it, and carries out one plan at a time. Owned by the loop.
 */
public final class ForwardingManager {
  private final SouthboundPort southbound;
  private final EngineLoop loop;
  private final Map<String, SwitchTables> installed = new HashMap<>();

  /** How many times each switch was asked for changes. */
  private final Map<String, Integer> timesAsked = new HashMap<>();

  private boolean busy;

  public ForwardingManager(SouthboundPort southbound, EngineLoop loop) {
    this.southbound = southbound;
    this.loop = loop;
  }

  /** What the switches hold, by switch id; a copy. A switch whose tables are unknown is missing. */
  public Map<String, SwitchTables> installed() {
    return new HashMap<>(installed);
  }

  /** Whether the switch's tables are known. */
  public boolean knows(String switchId) {
    return installed.containsKey(switchId);
  }

  /** As {@link SouthboundPort#groupIds}. */
  public IntStream groupIds(String switchId) {
    return southbound.groupIds(switchId);
  }

  /** As {@link SouthboundPort#seedsHash}. */
  public boolean seedsHash(String switchId) {
    return southbound.seedsHash(switchId);
  }

  /** Whether a plan is being carried out. */
  public boolean busy() {
    return busy;
  }

  /** The switch is gone: nothing is known of its tables any more. */
  public void forget(String switchId) {
    installed.remove(switchId);
  }

  /**
   * Reads a switch's tables.
   *
   * @param done called on the loop with the tables, or with null and why they could not be read
   */
  public void read(String switchId, BiConsumer<SwitchTables, Throwable> done) {
    southbound
        .read(switchId)
        .whenCompleteAsync(
            (tables, error) -> {
              if (error == null && !tables.equals(installed.get(switchId))) {
                installed.put(switchId, tables);
              }
              done.accept(tables, error);
            },
            loop);
  }

  /**
   * Reads a switch's tables to see whether they are as installed; if not, what was read counts from
   * now on. What is read while the switch is being changed, or arrives only after that, may be from
   * before or after the change, and counts for nothing.
   *
   * @param done called on the loop: whether the tables are known not to be as installed
   */
  public void audit(String switchId, Consumer<Boolean> done) {
    SwitchTables believed = installed.get(switchId);
    int asked = timesAsked.getOrDefault(switchId, 0);
    southbound
        .read(switchId)
        .whenCompleteAsync(
            (tables, error) -> {
              boolean comparable =
                  error == null
                      && installed.get(switchId) == believed
                      && timesAsked.getOrDefault(switchId, 0) == asked;
              boolean drifted = comparable && !tables.equals(believed);
              if (drifted) {
                installed.put(switchId, tables);
              }
              done.accept(drifted);
            },
            loop);
  }

  /** Reads some switches' tables, to be looked at only; nothing here takes notice of them. */
  public CompletableFuture<ReadBack> readBack(Collection<String> switchIds) {
    CompletableFuture<ReadBack> done = new CompletableFuture<>();
    Map<String, SwitchTables> found = new TreeMap<>();
    Map<String, String> failures = new TreeMap<>();
    Set<String> awaited = new HashSet<>(switchIds);
    if (awaited.isEmpty()) {
      done.complete(new ReadBack(found, failures));
    }
    for (String switchId : switchIds) {
      southbound
          .read(switchId)
          .whenCompleteAsync(
              (tables, error) -> {
                if (error == null) {
                  found.put(switchId, tables);
                } else {
                  failures.put(switchId, messageOf(error));
                }
                awaited.remove(switchId);
                if (awaited.isEmpty()) {
                  done.complete(new ReadBack(found, failures));
                }
              },
              loop);
    }
    return done;
  }

  /**
   * Takes the switches to {@code desired}, round by round. The first round in which a switch fails
   * is the last one; the tables of switches that failed are unknown afterwards.
   *
   * @param outdated asked between rounds: whether the plan should end there, for a better one
   * @param done called on the loop when the last change is confirmed, or the plan ended early
   * @throws UnsafePlanException if packets could loop or vanish at some step; nothing is changed
   */
  public void reach(DesiredState desired, BooleanSupplier outdated, Consumer<PlanOutcome> done) {
    UpdatePlan plan = UpdatePlan.between(installed, desired);
    PlanVerifier.requireSafe(plan.rounds(), installed, desired);
    busy = true;
    carryOut(plan, 0, outdated, done);
  }

  private void carryOut(
      UpdatePlan plan, int round, BooleanSupplier outdated, Consumer<PlanOutcome> done) {
    boolean complete = round == plan.roundCount();
    if (complete || outdated.getAsBoolean()) {
      finish(plan, complete, Map.of(), done);
      return;
    }
    Map<String, List<SwitchOperation>> operations = plan.round(round);
    Set<String> awaited = new HashSet<>(operations.keySet());
    Map<String, String> failures = new TreeMap<>();
    operations.keySet().forEach(switchId -> timesAsked.merge(switchId, 1, Integer::sum));
    operations.forEach(
        (switchId, list) ->
            southbound
                .apply(switchId, list)
                .whenCompleteAsync(
                    (nothing, error) -> {
                      if (error == null) {
                        installed.computeIfPresent(switchId, (id, now) -> now.after(list));
                      } else {
                        installed.remove(switchId);
                        failures.put(switchId, messageOf(error));
                      }
                      awaited.remove(switchId);
                      if (awaited.isEmpty() && failures.isEmpty()) {
                        carryOut(plan, round + 1, outdated, done);
                      } else if (awaited.isEmpty()) {
                        finish(plan, false, failures, done);
                      }
                    },
                    loop));
  }

  private void finish(
      UpdatePlan plan, boolean complete, Map<String, String> failures, Consumer<PlanOutcome> done) {
    busy = false;
    done.accept(new PlanOutcome(complete, plan.groupChanges(), plan.flowChanges(), failures));
  }

  private static String messageOf(Throwable error) {
    Throwable cause =
        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    return cause instanceof SouthboundException ? cause.getMessage() : cause.toString();
  }
}
