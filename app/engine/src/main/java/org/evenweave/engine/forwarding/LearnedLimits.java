package org.evenweave.engine.forwarding;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToIntBiFunction;
import java.util.function.ToIntFunction;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Limits;

/**
 * The limits of switches that became known because they refused something.
 *
 * <p>A switch that has no room for one more group, or one more rule, holds as many as it can: what
 * is read afterwards is the limit. Others' groups and rules have taken the rest. One that has no
 * room for the entries of a group does not say whether the table is full or the group too large.
 * The table counts as full as it is, unless it is known to hold as many entries as were wanted;
 * then groups may have half of what was refused. So every refusal lowers a limit, and there are few
 * before plans keep to all of them. A switch that connects again may have been changed, and what
 * was learned of it is forgotten.
 *
 * <p>Owned by the engine's loop.
 */
final class LearnedLimits {
  private final Map<String, Limits> limits = new HashMap<>();

  /** By switch, what it refused and was asked for; it has not been read since. */
  private final Map<String, Refusal> refusals = new HashMap<>();

  private final ToIntBiFunction<String, SelectGroup> entriesOf;
  private Consumer<String> listener = sentence -> {};

  private static final class Refusal {
    final SouthboundException.Reason reason;
    final List<SelectGroup> groups = new ArrayList<>();

    Refusal(SouthboundException.Reason reason, List<SwitchOperation> operations) {
      this.reason = reason;
      for (SwitchOperation operation : operations) {
        if (operation.kind() == SwitchOperation.Kind.ADD_GROUP
            || operation.kind() == SwitchOperation.Kind.MODIFY_GROUP) {
          groups.add(operation.group());
        }
      }
    }
  }

  /**
   * @param entriesOf the entries that a group takes in a switch
   */
  LearnedLimits(ToIntBiFunction<String, SelectGroup> entriesOf) {
    this.entriesOf = entriesOf;
  }

  /** The listener receives a sentence for each limit that is learned. Replaces the previous one. */
  void setListener(Consumer<String> newListener) {
    listener = newListener;
  }

  Limits of(String switchId) {
    // Most fabrics have none, and a look-up costs a miss of the cache for each switch.
    return limits.isEmpty() ? Limits.NONE : limits.getOrDefault(switchId, Limits.NONE);
  }

  /** A switch refused one of these operations for want of room; it is to be read. */
  void refused(
      String switchId, SouthboundException.Reason reason, List<SwitchOperation> operations) {
    if (reason != SouthboundException.Reason.OTHER) {
      refusals.put(switchId, new Refusal(reason, operations));
    }
  }

  /** What a switch holds was read: its rules as they are, merged or not. */
  void read(String switchId, SwitchTables held) {
    Refusal refusal = refusals.remove(switchId);
    if (refusal == null) {
      return;
    }
    Limits before = of(switchId);
    Limits now = before.and(learned(switchId, refusal, held));
    if (!now.equals(before)) {
      limits.put(switchId, now);
      listener.accept(switchId + " has no room for more: " + now + " (learned from its refusal)");
    }
  }

  /** The connection began or ended. */
  void forget(String switchId) {
    limits.remove(switchId);
    refusals.remove(switchId);
  }

  private Limits learned(String switchId, Refusal refusal, SwitchTables held) {
    switch (refusal.reason) {
      case OUT_OF_GROUPS:
        return Limits.NONE.withGroups(held.groupCount());
      case TABLE_FULL:
        return Limits.NONE.withRules(Math.max(1, held.flowCount()));
      default:
        return entries(switchId, refusal, held);
    }
  }

  private Limits entries(String switchId, Refusal refusal, SwitchTables held) {
    ToIntFunction<SelectGroup> entries = group -> entriesOf.applyAsInt(switchId, group);
    int all = held.groups().values().stream().mapToInt(entries).sum();
    int largest = held.groups().values().stream().mapToInt(entries).max().orElse(0);
    SelectGroup refused = null;
    for (SelectGroup group : refusal.groups) {
      boolean isHeld = group.equals(held.group(group.id()));
      if (!isHeld && (refused == null || entries.applyAsInt(group) < entries.applyAsInt(refused))) {
        refused = group;
      }
    }
    if (refused == null) {
      return Limits.NONE;
    }
    SelectGroup old = held.group(refused.id());
    int wanted = entries.applyAsInt(refused);
    int others = all - (old == null ? 0 : entries.applyAsInt(old));
    Limits known = of(switchId);
    boolean tableHoldsAsMany =
        known.entries() != Fabric.UNLIMITED && others + wanted <= known.entries();
    return all == 0 || tableHoldsAsMany
        ? Limits.NONE.withGroupEntries(Math.max(Math.max(1, largest), wanted / 2))
        : Limits.NONE.withEntries(all);
  }
}
