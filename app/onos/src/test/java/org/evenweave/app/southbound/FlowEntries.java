package org.evenweave.app.southbound;

import static org.evenweave.app.southbound.FakeOpenFlow.OF;

import java.util.List;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.openflow.FlowCodec;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.instruction.OFInstruction;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionApplyActions;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/** Flow entries as a switch describes them. */
final class FlowEntries {
  private FlowEntries() {}

  /** A rule as this release installs it. */
  static OFFlowStatsEntry ours(FlowRule rule) {
    return entry(match(rule), OwnEntries.priority(rule), OwnEntries.COOKIE, actions(rule));
  }

  /**
   * A rule that an earlier release had ONOS install.
   *
   * @param application in whose name
   */
  static OFFlowStatsEntry ofOnos(FlowRule rule, int application) {
    return entry(
        match(rule),
        OwnEntries.priority(rule),
        U64.of((long) application << 48 | 0x1234),
        actions(rule));
  }

  static OFFlowStatsEntry entry(Match match, int priority, U64 cookie, List<OFAction> actions) {
    return OF.buildFlowStatsEntry()
        .setTableId(TableId.ZERO)
        .setCookie(cookie)
        .setPacketCount(U64.of(priority))
        .setPriority(priority)
        .setMatch(match)
        .setInstructions(
            actions.isEmpty() ? List.of() : List.of(OF.instructions().applyActions(actions)))
        .build();
  }

  static Match match(FlowRule rule) {
    return FlowCodec.match(OF, rule);
  }

  static List<OFAction> actions(FlowRule rule) {
    OFFlowAdd add = (OFFlowAdd) SecondLookup.toSwitch(OF, OwnEntries.OPERATIONS.add(OF, rule, 1));
    List<OFInstruction> instructions = add.getInstructions();
    return instructions.isEmpty()
        ? List.of()
        : ((OFInstructionApplyActions) instructions.get(0)).getActions();
  }
}
