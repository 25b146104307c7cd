package org.evenweave.standalone.openflow;

import java.util.List;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.openflow.GroupCodec;
import org.evenweave.openflow.LargeTable;
import org.evenweave.openflow.OperationStep;

/** {@link SwitchOperation}s as OpenFlow 1.3 messages. */
final class OperationCodec {
  private static final String RANGE =
      SelectGroup.idText(OpenFlow13.FIRST_GROUP) + ".." + SelectGroup.idText(OpenFlow13.LAST_GROUP);

  private OperationCodec() {}

  /**
   * Why the operation has no form in OpenFlow 1.3, or null. Checked before anything is sent, so
   * that such an operation changes nothing.
   */
  static String problem(SwitchOperation operation) {
    return operation.group() != null
        ? problem(operation.kind(), operation.group())
        : problem(operation.kind(), operation.flow());
  }

  /** The messages; only for an operation without {@link #problem}. */
  static List<OperationStep> steps(SwitchOperation operation) {
    return FlowMessages.OPERATIONS.steps(operation);
  }

  private static String problem(SwitchOperation.Kind kind, SelectGroup group) {
    if (!OpenFlow13.isOurs(group.id())) {
      return "group id " + SelectGroup.idText(group.id()) + " is not in " + RANGE;
    }
    if (kind == SwitchOperation.Kind.DELETE_GROUP) {
      return null;
    }
    if (group.isLarge()) {
      return LargeTable.problem(group, OpenFlow13.FIRST_GROUP);
    }
    if (group.bucketCount() > GroupCodec.MAX_BUCKETS) {
      return group.bucketCount()
          + " buckets do not fit one OpenFlow message, which holds "
          + GroupCodec.MAX_BUCKETS;
    }
    for (int i = 0; i < group.bucketCount(); i++) {
      if (!PortDescription.isPhysical(group.port(i))) {
        return "bucket " + i + ": port " + group.port(i) + " is not a port number from 1";
      }
      if (group.weight(i) < 1 || group.weight(i) > GroupCodec.MAX_WEIGHT) {
        return "bucket "
            + i
            + ": weight "
            + group.weight(i)
            + " is not in 1.."
            + GroupCodec.MAX_WEIGHT;
      }
    }
    return null;
  }

  private static String problem(SwitchOperation.Kind kind, FlowRule rule) {
    if (kind == SwitchOperation.Kind.DELETE_FLOW) {
      return null;
    }
    switch (rule.action()) {
      case TO_CONTROLLER:
      case LOOK_UP_AGAIN:
      case DROP:
        return null;
      case ROUTE_TO_GROUP:
        return OpenFlow13.isOurs(rule.groupId())
            ? null
            : "group id " + SelectGroup.idText(rule.groupId()) + " is not in " + RANGE;
      case ROUTE_TO_PORT:
      case DELIVER:
      case DELIVER_BACK:
      case ANSWER_ARP:
        return PortDescription.isPhysical(rule.outPort())
            ? null
            : "port " + rule.outPort() + " is not a port number from 1";
      default:
        throw new AssertionError(rule.action());
    }
  }
}
