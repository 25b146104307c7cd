package org.evenweave.app.removal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.runtime.EngineLoop;

/**
 * Removes all groups and rules of the application from switches, as read from the switches
 * themselves, not from the state of ONOS or the engine.
 */
public final class Purge {
  /** A change in flight can still arrive after the first read. */
  private static final int MAX_PASSES = 3;

  private final SouthboundPort southbound;
  private final EngineLoop loop;
  private final long timeoutNanos;

  /** Counts of what was removed, and the switches where that failed. */
  public static final class Result {
    private final int switches;
    private final int groups;
    private final int rules;
    private final Map<String, String> problems;
    private final Map<String, String> serverProblems;

    /**
     * @param problems by switch id
     * @param serverProblems by OVSDB server
     */
    public Result(
        int switches,
        int groups,
        int rules,
        Map<String, String> problems,
        Map<String, String> serverProblems) {
      this.switches = switches;
      this.groups = groups;
      this.rules = rules;
      this.problems = problems;
      this.serverProblems = serverProblems;
    }

    /** The same, after BFD has been removed as well. */
    public Result withServerProblems(Map<String, String> newServerProblems) {
      return new Result(switches, groups, rules, problems, newServerProblems);
    }

    /** The number of switches purged, failures included. */
    public int switches() {
      return switches;
    }

    /** How many groups were removed. */
    public int groups() {
      return groups;
    }

    /** How many rules were removed. */
    public int rules() {
      return rules;
    }

    /** Errors by switch id; such a switch may still hold groups or rules. */
    public Map<String, String> problems() {
      return problems;
    }

    /** Errors by OVSDB server; switches whose configuration it holds may still run BFD. */
    public Map<String, String> serverProblems() {
      return serverProblems;
    }
  }

  /** The result so far; accessed on the loop only. */
  private static final class Tally {
    int groups;
    int rules;
    final SortedMap<String, String> problems = new TreeMap<>();
  }

  /**
   * @param southbound is used on the loop
   * @param timeoutNanos for one switch; then its purge fails
   */
  public Purge(SouthboundPort southbound, EngineLoop loop, long timeoutNanos) {
    this.southbound = southbound;
    this.loop = loop;
    this.timeoutNanos = timeoutNanos;
  }

  /** Purges these switches in parallel. Completes, never exceptionally, when all are done. */
  public CompletableFuture<Result> of(Collection<String> switchIds) {
    CompletableFuture<Result> done = new CompletableFuture<>();
    loop.execute(
        () -> {
          Tally tally = new Tally();
          List<CompletableFuture<Void>> each = new ArrayList<>();
          switchIds.forEach(switchId -> each.add(purge(switchId, tally)));
          CompletableFuture.allOf(each.toArray(CompletableFuture[]::new))
              .thenRun(
                  () ->
                      done.complete(
                          new Result(
                              switchIds.size(),
                              tally.groups,
                              tally.rules,
                              tally.problems,
                              Map.of())));
        });
    return done;
  }

  private CompletableFuture<Void> purge(String switchId, Tally tally) {
    return CompletableFuture.completedFuture(null)
        .thenCompose(nothing -> pass(switchId, tally, MAX_PASSES))
        .orTimeout(timeoutNanos, TimeUnit.NANOSECONDS)
        .handleAsync(
            (nothing, error) -> {
              if (error != null) {
                tally.problems.put(switchId, reason(error));
              }
              return null;
            },
            loop);
  }

  /** Reads, removes what is there, and repeats until the switch is empty. */
  private CompletableFuture<Void> pass(String switchId, Tally tally, int passesLeft) {
    return southbound
        .read(switchId)
        .thenComposeAsync(
            tables -> {
              List<SwitchOperation> removals = removals(tables);
              if (removals.isEmpty()) {
                return CompletableFuture.completedFuture(null);
              }
              if (passesLeft == 0) {
                throw new SouthboundException(
                    switchId, "still lists what it confirmed to have removed");
              }
              return southbound
                  .apply(switchId, removals)
                  .thenComposeAsync(
                      nothing -> {
                        tally.groups += tables.groups().size();
                        tally.rules += tables.flows().size();
                        return pass(switchId, tally, passesLeft - 1);
                      },
                      loop);
            },
            loop);
  }

  /** Rules first: a group is deleted only once no rule uses it. */
  private static List<SwitchOperation> removals(SwitchTables tables) {
    List<SwitchOperation> removals = new ArrayList<>();
    tables.flows().values().forEach(rule -> removals.add(SwitchOperation.deleteFlow(rule)));
    tables.groups().values().forEach(group -> removals.add(SwitchOperation.deleteGroup(group)));
    return removals;
  }

  private static String reason(Throwable error) {
    Throwable cause = error instanceof CompletionException ? error.getCause() : error;
    return cause.getMessage() == null ? "did not answer in time" : cause.getMessage();
  }
}
