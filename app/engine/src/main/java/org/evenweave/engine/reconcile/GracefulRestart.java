package org.evenweave.engine.reconcile;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.evenweave.engine.forwarding.DesiredState;
import org.evenweave.engine.forwarding.ForwardingManager;
import org.evenweave.engine.forwarding.PlanListener;
import org.evenweave.engine.forwarding.PrunedTables;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * Preserves the tables that switches hold when an engine starts, until routes can be computed.
 *
 * <p>While installed rules send packets to a switch that has not been read yet, routes cannot be
 * computed: possibly only that switch knows of a failure before the start. In each step until then:
 *
 * <ol>
 *   <li>{@link #read} notes the switches that were read since the last step.
 *   <li>{@link #isInProgress} decides whether this state lasts. No timer ends it. It ends when
 *       every awaited switch has been read, has lost its ports or is excluded by the operator, or
 *       when the network without the awaited switches explains all installed rules. If rules for
 *       pairs are installed, it lasts until the flows of pairs have been computed.
 *   <li>{@link #keep} has switches keep their tables, except that failed next hops are removed
 *       ({@link PrunedTables}) and that rules for hosts are added.
 * </ol>
 *
 * <p>Belongs to the engine's loop.
 */
final class GracefulRestart {
  private final Nib nib;
  private final ForwardingManager forwarding;
  private final Map<String, SwitchTables> adopted = new HashMap<>();

  /** Whether tables have been computed since the start. */
  private boolean ended;

  GracefulRestart(Nib nib, ForwardingManager forwarding) {
    this.nib = nib;
    this.forwarding = forwarding;
  }

  /** Records that a switch's tables have been read; it keeps these. */
  void read(String switchId) {
    adopted.remove(switchId);
  }

  /**
   * Whether switches have to keep their installed tables.
   *
   * @param compiler computes the tables of all switches of a snapshot, including held switches
   */
  boolean isInProgress(Snapshot snapshot, Function<Snapshot, DesiredState> compiler) {
    boolean nothingFound = snapshot.switchIds().isEmpty() && snapshot.fabric().switchCount() > 0;
    boolean inProgress =
        nothingFound
            || (isAwaiting(snapshot) && !isExplained(snapshot, compiler))
            || (!ended && holdPairs() && lacksFlows(compiler.apply(snapshot)));
    if (!inProgress) {
      ended = true;
      adopted.clear();
    }
    return inProgress;
  }

  private static boolean isAwaiting(Snapshot snapshot) {
    return !snapshot.awaitedSwitches().isEmpty() || !snapshot.awaitedPorts().isEmpty();
  }

  /**
   * Whether the links that are known to be up, and nothing else, lead to just the tables that are
   * installed. Then the awaited switches hold what would be computed for them.
   */
  private boolean isExplained(Snapshot snapshot, Function<Snapshot, DesiredState> compiler) {
    if (snapshot.awaitedPorts().isEmpty() && !anyUnseenLink(snapshot)) {
      DesiredState whole = compiler.apply(snapshot);
      Map<String, SwitchTables> installed = forwarding.installed();
      boolean same =
          !lacksFlows(whole)
              && snapshot.switchIds().stream()
                  .allMatch(id -> whole.tables().get(id).equals(installed.get(id)));
      if (same) {
        for (String switchId : snapshot.awaitedSwitches()) {
          forwarding.assume(switchId, whole.tables().get(switchId));
          nib.tablesAssumed(switchId);
        }
      }
      return same;
    }
    return false;
  }

  /** Whether a link of an awaited switch leads to another switch that cannot report it. */
  private static boolean anyUnseenLink(Snapshot snapshot) {
    Fabric fabric = snapshot.physical();
    for (String awaited : snapshot.awaitedSwitches()) {
      int s = fabric.indexOf(awaited);
      for (int link : fabric.linksAt(s)) {
        int other = fabric.from(2 * link) == s ? fabric.to(2 * link) : fabric.from(2 * link);
        if (!snapshot.isPresent(other)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether rules for pairs were found, which are not to be taken out only to be put back. */
  private boolean holdPairs() {
    return forwarding.installed().values().stream().anyMatch(tables -> tables.pairCount() > 0);
  }

  private static boolean lacksFlows(DesiredState state) {
    return !state.routing().isComplete();
  }

  /** Takes out of the installed tables what has failed, and puts in what hosts need. */
  void keep(Snapshot snapshot, PlanListener listener) {
    Map<String, SwitchTables> installed = forwarding.installed();
    for (String switchId : snapshot.switchIds()) {
      adopted.computeIfAbsent(switchId, installed::get);
    }
    adopted.keySet().retainAll(List.copyOf(snapshot.switchIds()));
    forwarding.prune(
        PrunedTables.of(snapshot, adopted, installed, nib::mayBeUp, forwarding::groupIds),
        listener);
  }
}
