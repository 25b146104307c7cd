package org.evenweave.openflow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchOperation;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/**
 * The messages, in order, that add, change or delete a {@link LargeTable}.
 *
 * <p><b>Order.</b> Ports' groups, then rules for slots, then the group that leads to them; what is
 * not needed any more is deleted last. So whatever a packet's hash is, there is a rule for it that
 * leads to a port which the table has before or after, or to one that stands in for it.
 *
 * <p><b>Size.</b> Slot i of a grown table has the owner of slot i modulo the old size, or one of
 * the new owners, so rules for slots are written before the group leads to more of them, and
 * deleted after it leads to fewer.
 *
 * <p>Each message may also be the first one after a crash. A port's group that is not known to be
 * there is deleted (which is no error without it, and takes its rules with it) before it is added.
 */
final class LargeTableSteps {
  private static final int ALL_SLOTS = 1 << LargeTable.SLOT_BITS;

  private final U64 cookie;
  private final SwitchOperation operation;
  private final List<OperationStep> steps = new ArrayList<>();

  private LargeTableSteps(U64 cookie, SwitchOperation operation) {
    this.cookie = cookie;
    this.operation = operation;
  }

  /** Whether a change is one of a large table. */
  static boolean areNeededFor(SwitchOperation operation) {
    return operation.group() != null
        && (operation.group().isLarge() || isLarge(operation.replaced()));
  }

  private static boolean isLarge(SelectGroup group) {
    return group != null && group.isLarge();
  }

  /**
   * @param cookie of the rules
   */
  static List<OperationStep> of(U64 cookie, SwitchOperation operation) {
    LargeTableSteps made = new LargeTableSteps(cookie, operation);
    SelectGroup group = operation.group();
    switch (operation.kind()) {
      case ADD_GROUP:
        made.build(group);
        made.add((of, xid) -> LargeTable.complete(of, of.buildGroupAdd(), group, xid));
        break;
      case MODIFY_GROUP:
        made.modify(operation.replaced(), group);
        break;
      case DELETE_GROUP:
        made.add((of, xid) -> GroupCodec.delete(of, group.id(), xid));
        made.raze(group);
        break;
      default:
        throw new AssertionError(operation.kind());
    }
    return made.steps;
  }

  private void modify(SelectGroup old, SelectGroup group) {
    if (!group.isLarge()) {
      add((of, xid) -> GroupCodec.modify(of, group, xid));
      raze(old);
    } else if (!isLarge(old)) {
      build(group);
      lead(group);
    } else {
      change(old, group);
    }
  }

  /** Writes everything but the group that leads to the table. */
  private void build(SelectGroup group) {
    deleteSlots(group.id(), 0, ALL_SLOTS);
    members(group).forEach(port -> putPort(group, port));
    for (int slot = 0; slot < group.bucketCount(); slot++) {
      putSlot(group, slot);
    }
  }

  /** Deletes the ports' groups, and with them all rules that lead there. */
  private void raze(SelectGroup group) {
    members(group).forEach(port -> deletePort(group.id(), port));
    deleteSlots(group.id(), 0, ALL_SLOTS);
  }

  private void change(SelectGroup old, SelectGroup group) {
    List<Integer> then = members(old);
    List<Integer> now = members(group);
    boolean isDamaged = then.size() < old.memberCount();
    for (int port : now) {
      if (!then.contains(port)) {
        putPort(group, port);
      } else if (isDamaged || !then.equals(now)) {
        int[] failover = LargeTable.failover(group.memberPorts(), port);
        add((of, xid) -> LargeTable.complete(of, of.buildGroupModify(), group.id(), failover, xid));
      }
    }
    for (int slot = 0; slot < group.bucketCount(); slot++) {
      if (slot >= old.bucketCount() || old.port(slot) != group.port(slot)) {
        putSlot(group, slot);
      }
    }
    if (isDamaged || old.bucketCount() != group.bucketCount()) {
      lead(group);
    }
    int last = isDamaged ? ALL_SLOTS : old.bucketCount();
    for (int first = group.bucketCount(); first < last; first *= 2) {
      deleteSlots(group.id(), first, first);
    }
    then.stream().filter(port -> !now.contains(port)).forEach(p -> deletePort(group.id(), p));
  }

  /** The ports of a table, rising; not that of slots that are read as damaged. */
  private static List<Integer> members(SelectGroup group) {
    List<Integer> ports = new ArrayList<>();
    Arrays.stream(group.memberPorts())
        .filter(port -> port != FlowCodec.NO_PORT)
        .forEach(ports::add);
    return ports;
  }

  private void lead(SelectGroup group) {
    add((of, xid) -> LargeTable.complete(of, of.buildGroupModify(), group, xid));
  }

  private void putPort(SelectGroup group, int port) {
    int[] failover = LargeTable.failover(group.memberPorts(), port);
    deletePort(group.id(), port);
    add((of, xid) -> LargeTable.complete(of, of.buildGroupAdd(), group.id(), failover, xid));
  }

  private void deletePort(int tableId, int port) {
    add(
        (of, xid) ->
            of.buildGroupDelete()
                .setXid(xid)
                .setGroupType(OFGroupType.FF)
                .setGroup(OFGroup.of(LargeTable.portGroup(tableId, port)))
                .build());
  }

  private void putSlot(SelectGroup group, int slot) {
    add(
        (of, xid) ->
            ofSlots(of.buildFlowAdd(), xid)
                .setPriority(LargeTable.PRIORITY)
                .setMatch(LargeTable.slot(of, group.id(), slot))
                .setInstructions(LargeTable.toPort(of, group.id(), group.port(slot)))
                .build());
  }

  private void deleteSlots(int tableId, int first, int count) {
    add(
        (of, xid) ->
            ofSlots(of.buildFlowDelete(), xid)
                .setCookieMask(U64.NO_MASK)
                .setMatch(LargeTable.slots(of, tableId, first, count))
                .setOutPort(OFPort.ANY)
                .setOutGroup(OFGroup.ANY)
                .build());
  }

  private OFFlowMod.Builder ofSlots(OFFlowMod.Builder builder, long xid) {
    return builder
        .setXid(xid)
        .setCookie(cookie)
        .setTableId(TableId.of(LargeTable.SLOTS_TABLE))
        .setBufferId(OFBufferId.NO_BUFFER);
  }

  private void add(OperationStep.Maker maker) {
    steps.add(new OperationStep(operation, maker));
  }
}
