package org.evenweave.app.southbound;

import java.util.ArrayList;
import java.util.List;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.action.OFActionOutput;
import org.projectfloodlight.openflow.protocol.instruction.OFInstruction;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionApplyActions;
import org.projectfloodlight.openflow.types.OFPort;

/**
 * The action that looks a packet up in table 0 again, Open vSwitch's {@code resubmit(,0)}, instead
 * of its stand-in: the output to the reserved port TABLE, which a switch takes in no rule.
 */
final class SecondLookup {
  /** OFPP_IN_PORT in 16 bits: the packet keeps the port that it came by. */
  private static final int IN_PORT = 0xfff8;

  private SecondLookup() {}

  /** The real rule of a stand-in; any other message as it is. */
  static OFMessage toSwitch(OFFactory of, OFMessage message) {
    if (!(message instanceof OFFlowAdd)) {
      return message;
    }
    OFFlowAdd add = (OFFlowAdd) message;
    List<OFAction> actions = actions(add.getInstructions());
    if (actions.isEmpty() || !actions.get(actions.size() - 1).equals(standIn(of))) {
      return message;
    }
    return add.createBuilder().setInstructions(endingWith(of, actions, resubmit(of))).build();
  }

  /**
   * The instructions of an entry as a switch describes it, with the stand-in. Those of an entry
   * that really has the stand-in become some of no rule.
   */
  static List<OFInstruction> fromSwitch(OFFlowStatsEntry entry) {
    OFFactory of = OFFactories.getFactory(entry.getVersion());
    List<OFAction> actions = actions(entry.getInstructions());
    OFAction last = actions.isEmpty() ? null : actions.get(actions.size() - 1);
    if (last != null && last.equals(resubmit(of))) {
      return endingWith(of, actions, standIn(of));
    }
    boolean isStandIn =
        last instanceof OFActionOutput && ((OFActionOutput) last).getPort().equals(OFPort.TABLE);
    return isStandIn ? List.of(of.instructions().clearActions()) : entry.getInstructions();
  }

  private static List<OFAction> actions(List<OFInstruction> instructions) {
    return instructions.size() == 1 && instructions.get(0) instanceof OFInstructionApplyActions
        ? ((OFInstructionApplyActions) instructions.get(0)).getActions()
        : List.of();
  }

  private static List<OFInstruction> endingWith(
      OFFactory of, List<OFAction> actions, OFAction last) {
    List<OFAction> changed = new ArrayList<>(actions.subList(0, actions.size() - 1));
    changed.add(last);
    return List.of(of.instructions().applyActions(changed));
  }

  private static OFAction standIn(OFFactory of) {
    return of.actions().output(OFPort.TABLE, 0);
  }

  private static OFAction resubmit(OFFactory of) {
    return of.actions().niciraResubmitTable(IN_PORT, (short) 0);
  }
}
