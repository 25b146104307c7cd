package org.evenweave.engine.fake;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Limits;

/** An OpenFlow switch in memory: tables that refuse what a real one refuses, and a lookup. */
final class FakeSwitch {
  /** What it has confirmed, and tells when it is read. */
  SwitchTables tables = SwitchTables.EMPTY;

  /** What it decides by while it lags behind that; null if it does not. */
  private SwitchTables inUse;

  boolean connected;

  /** Whether its controller knows its ports. */
  boolean portsAnnounced;

  /** What its tables hold at most. */
  Limits limits = Limits.NONE;

  /** Refuses the next so many operations. */
  int refusals;

  /** Fails the next so many reads of its tables. */
  int failingReads;

  private final String id;
  private long busyUntilNanos;

  FakeSwitch(String id) {
    this.id = id;
  }

  void disconnect() {
    connected = false;
    portsAnnounced = false;
  }

  /** How long it is until a request is handled that takes so long: after those before it. */
  long delayNanos(long nowNanos, long workNanos) {
    busyUntilNanos = Math.max(nowNanos, busyUntilNanos) + workNanos;
    return busyUntilNanos - nowNanos;
  }

  /**
   * Carries out operations. As in a real switch, one that is refused does not keep the next from
   * effect.
   *
   * @param after called after each
   * @return the first refusal, or null
   */
  SouthboundException performAll(
      List<SwitchOperation> operations, Consumer<SwitchOperation> after) {
    SouthboundException refusal = null;
    for (SwitchOperation operation : operations) {
      try {
        perform(operation);
      } catch (SouthboundException e) {
        refusal = refusal == null ? e : refusal;
      }
      after.accept(operation);
    }
    return refusal;
  }

  /** Carries out one operation as OpenFlow 1.3 (sections 6.4 and 6.7) says, or refuses it. */
  void perform(SwitchOperation operation) {
    if (refusals > 0) {
      refusals--;
      throw new SouthboundException(id, operation.kind() + " refused by the test");
    }
    switch (operation.kind()) {
      case ADD_GROUP:
        require(!tables.groups().containsKey(operation.group().id()), "GROUP_EXISTS", operation);
        require(
            tables.groupCount() < limits.groups(),
            SouthboundException.Reason.OUT_OF_GROUPS,
            operation);
        requireEntries(operation, 0);
        break;
      case MODIFY_GROUP:
        require(tables.groups().containsKey(operation.group().id()), "UNKNOWN_GROUP", operation);
        requireEntries(operation, tables.group(operation.group().id()).totalWeight());
        break;
      case PUT_FLOW:
        require(
            operation.flow().action() != FlowRule.Action.ROUTE_TO_GROUP
                || tables.groups().containsKey(operation.flow().groupId()),
            "BAD_OUT_GROUP",
            operation);
        require(
            tables.hasMatchOf(operation.flow()) || tables.flowCount() < limits.rules(),
            SouthboundException.Reason.TABLE_FULL,
            operation);
        break;
      case DELETE_GROUP:
        // A real switch deletes the rules that use the group with it; a plan must never do that.
        require(
            tables.flows().values().stream()
                .noneMatch(
                    rule ->
                        rule.action() == FlowRule.Action.ROUTE_TO_GROUP
                            && rule.groupId() == operation.group().id()),
            "group in use",
            operation);
        break;
      default:
        break;
    }
    tables = tables.after(List.of(operation));
  }

  /** From now on it decides by the tables that it has now, until {@link #catchUp}. */
  void lag() {
    inUse = inUse == null ? tables : inUse;
  }

  /** It decides by the tables that it has confirmed. */
  void catchUp() {
    inUse = null;
  }

  /** Whether it decides by source too. */
  boolean hasPairs() {
    return inUse().pairCount() > 0;
  }

  private SwitchTables inUse() {
    return inUse == null ? tables : inUse;
  }

  private void requireEntries(SwitchOperation operation, int released) {
    int wanted = operation.group().totalWeight();
    long others =
        tables.groups().values().stream().mapToLong(SelectGroup::totalWeight).sum() - released;
    require(
        wanted <= released
            || (wanted <= limits.groupEntries() && others + wanted <= limits.entries()),
        SouthboundException.Reason.OUT_OF_BUCKETS,
        operation);
  }

  private void require(
      boolean holds, SouthboundException.Reason reason, SwitchOperation operation) {
    if (!holds) {
      throw new SouthboundException(id, operation + ": " + reason);
    }
  }

  private void require(boolean holds, String error, SwitchOperation operation) {
    if (!holds) {
      throw new SouthboundException(id, operation + ": " + error);
    }
  }

  /** The rule of highest priority that matches both addresses; null on a table miss. */
  FlowRule lookup(int source, int destination) {
    FlowRule best = null;
    for (FlowRule rule : inUse().flows().values()) {
      boolean isForSource =
          rule.match() == FlowRule.Match.IPV4_DESTINATION
              || (rule.isOfPair() && rule.sourcePrefix().contains(source));
      if (isForSource
          && rule.prefix().contains(destination)
          && (best == null || rule.priority() > best.priority())) {
        best = rule;
      }
    }
    return best;
  }

  /** Every port that a packet matching the rule may leave by, whatever its hash. */
  Set<Integer> outPorts(FlowRule rule) {
    Set<Integer> ports = new HashSet<>();
    if (rule.action() == FlowRule.Action.ROUTE_TO_GROUP) {
      SelectGroup group = inUse().groups().get(rule.groupId());
      for (int bucket = 0; bucket < group.bucketCount(); bucket++) {
        ports.add(group.port(bucket));
      }
    } else {
      ports.add(rule.outPort());
    }
    return ports;
  }
}
