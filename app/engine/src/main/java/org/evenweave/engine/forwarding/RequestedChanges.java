package org.evenweave.engine.forwarding;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchOperation;

/**
 * The changes that switches have not confirmed yet: which rules those that are not confirmed
 * delete, and until when switches may decide by what they held before. Owned by the engine's loop.
 */
final class RequestedChanges {
  private final LongSupplier nanoTime;
  private final long settlingNanos;

  /** How many times each switch was asked for changes. */
  private final Map<String, Integer> timesAsked = new HashMap<>();

  /** By switch, the keys of the rules that unconfirmed changes delete. */
  private final Map<String, Set<String>> deleting = new HashMap<>();

  /** When all switches decide by what they have confirmed. */
  private long settledNanos;

  /**
   * @param nanoTime the loop's
   * @param settlingNanos how long a switch may decide by its old tables after it confirmed a change
   */
  RequestedChanges(LongSupplier nanoTime, long settlingNanos) {
    this.nanoTime = nanoTime;
    this.settlingNanos = settlingNanos;
    settledNanos = nanoTime.getAsLong();
  }

  /** A switch is asked for changes. */
  void asked(String switchId, List<SwitchOperation> operations) {
    timesAsked.merge(switchId, 1, Integer::sum);
    deleting.put(switchId, deletedBy(operations));
  }

  /** The switch has confirmed the changes, or failed. */
  void ended(String switchId, List<SwitchOperation> operations) {
    deleting.remove(switchId);
    if (changesPackets(operations)) {
      settledNanos = nanoTime.getAsLong() + settlingNanos;
    }
  }

  /** How many times a switch was asked for changes. */
  int timesAsked(String switchId) {
    return timesAsked.getOrDefault(switchId, 0);
  }

  /** Whether changes that are not confirmed delete this rule. */
  boolean isDeleting(String switchId, FlowRule rule) {
    return deleting.getOrDefault(switchId, Set.of()).contains(rule.key());
  }

  /** Until every switch decides by the tables that it has confirmed; 0 or less if all do. */
  long untilSettledNanos() {
    return settledNanos - nanoTime.getAsLong();
  }

  /** Whether any is not of a group that nothing uses yet. */
  private static boolean changesPackets(List<SwitchOperation> operations) {
    for (SwitchOperation operation : operations) {
      if (operation.kind() != SwitchOperation.Kind.ADD_GROUP) {
        return true;
      }
    }
    return false;
  }

  private static Set<String> deletedBy(List<SwitchOperation> operations) {
    Set<String> keys = Set.of();
    for (SwitchOperation operation : operations) {
      if (operation.kind() == SwitchOperation.Kind.DELETE_FLOW) {
        keys = keys.isEmpty() ? new HashSet<>() : keys;
        keys.add(operation.flow().key());
      }
    }
    return keys;
  }
}
