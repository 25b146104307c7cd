package org.evenweave.openflow;

import java.util.List;
import java.util.Set;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchOperation;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowDeleteStrict;
import org.projectfloodlight.openflow.protocol.OFFlowModFlags;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/**
 * {@link SwitchOperation}s as flow-mods and group-mods, in the form that one runtime gives them.
 */
public final class OperationMessages {
  private final U64 cookie;
  private final U64 deletedCookies;
  private final int priorityOffset;

  /**
   * @param cookie of the rules that are added
   * @param deletedCookies the bits of the cookie in which a rule must equal it to be deleted
   * @param priorityOffset of entries in the switch, above {@link FlowRule#priority}
   */
  public OperationMessages(U64 cookie, U64 deletedCookies, int priorityOffset) {
    this.cookie = cookie;
    this.deletedCookies = deletedCookies;
    this.priorityOffset = priorityOffset;
  }

  /** The messages that make a change, in order. */
  public List<OperationStep> steps(SwitchOperation operation) {
    return LargeTableSteps.areNeededFor(operation)
        ? LargeTableSteps.of(cookie, operation)
        : List.of(new OperationStep(operation, (of, xid) -> message(of, operation, xid)));
  }

  /** The message that makes a change, of anything but a large table. */
  public OFMessage message(OFFactory of, SwitchOperation operation, long xid) {
    switch (operation.kind()) {
      case ADD_GROUP:
        return GroupCodec.add(of, operation.group(), xid);
      case MODIFY_GROUP:
        return GroupCodec.modify(of, operation.group(), xid);
      case DELETE_GROUP:
        return GroupCodec.delete(of, operation.group().id(), xid);
      case PUT_FLOW:
        return add(of, operation.flow(), xid);
      case DELETE_FLOW:
        return delete(of, operation.flow(), xid);
      default:
        throw new AssertionError(operation.kind());
    }
  }

  /**
   * Adds the rule, or replaces the entry with the same match and priority. The switch reports its
   * removal by anyone.
   */
  public OFFlowAdd add(OFFactory of, FlowRule rule, long xid) {
    return of.buildFlowAdd()
        .setXid(xid)
        .setCookie(cookie)
        .setTableId(TableId.ZERO)
        .setFlags(Set.of(OFFlowModFlags.SEND_FLOW_REM))
        .setPriority(rule.priority() + priorityOffset)
        .setMatch(FlowCodec.match(of, rule))
        .setInstructions(FlowCodec.instructions(of, rule))
        .setBufferId(OFBufferId.NO_BUFFER)
        .build();
  }

  /** Removes the entry with the rule's match and priority, if its cookie is among those deleted. */
  public OFFlowDeleteStrict delete(OFFactory of, FlowRule rule, long xid) {
    return of.buildFlowDeleteStrict()
        .setXid(xid)
        .setCookie(cookie)
        .setCookieMask(deletedCookies)
        .setTableId(TableId.ZERO)
        .setPriority(rule.priority() + priorityOffset)
        .setMatch(FlowCodec.match(of, rule))
        .setOutPort(OFPort.ANY)
        .setOutGroup(OFGroup.ANY)
        .setBufferId(OFBufferId.NO_BUFFER)
        .build();
  }

  /** The operation in a few words: a group may have thousands of buckets. */
  public static String name(SwitchOperation operation) {
    return operation.kind()
        + " "
        + (operation.group() != null
            ? "group " + SelectGroup.idText(operation.group().id())
            : operation.flow());
  }
}
