package org.evenweave.app.southbound;

import static org.evenweave.app.southbound.FakeOpenFlow.OF;

import java.util.List;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.openflow.FlowCodec;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.instruction.OFInstruction;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionApplyActions;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/** Rules as ONOS puts them into a switch, and as the switch describes them then. */
final class FlowEntries {
  private FlowEntries() {}

  /**
   * @param application in whose name ONOS was asked to
   */
  static OFFlowStatsEntry ofOnos(FlowRule rule, int application) {
    return entry(match(rule), rule.priority() + 1, application, actions(rule));
  }

  static OFFlowStatsEntry entry(
      Match match, int priority, int application, List<OFAction> actions) {
    return OF.buildFlowStatsEntry()
        .setTableId(TableId.ZERO)
        .setCookie(U64.of((long) application << 48 | 0x1234))
        .setPriority(priority)
        .setMatch(match)
        .setInstructions(List.of(OF.instructions().applyActions(actions)))
        .build();
  }

  /** The message by which ONOS adds a rule. */
  static OFFlowAdd addition(FlowRule rule, long cookie) {
    return OF.buildFlowAdd()
        .setTableId(TableId.ZERO)
        .setCookie(U64.of(cookie))
        .setPriority(rule.priority() + 1)
        .setMatch(match(rule))
        .setInstructions(List.of(OF.instructions().applyActions(actions(rule))))
        .build();
  }

  /** The message by which ONOS removes a rule. */
  static OFFlowMod deletion(FlowRule rule, long cookie) {
    return OF.buildFlowDeleteStrict()
        .setTableId(TableId.ZERO)
        .setCookie(U64.of(cookie))
        .setPriority(rule.priority() + 1)
        .setMatch(match(rule))
        .build();
  }

  static Match match(FlowRule rule) {
    return FlowCodec.match(OF, rule);
  }

  static List<OFAction> actions(FlowRule rule) {
    OFInstruction apply = FlowCodec.instructions(OF, rule).get(0);
    return ((OFInstructionApplyActions) apply).getActions();
  }
}
