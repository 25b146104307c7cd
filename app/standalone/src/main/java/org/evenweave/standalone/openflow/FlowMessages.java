package org.evenweave.standalone.openflow;

import java.util.Optional;
import java.util.Set;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.openflow.FlowCodec;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowDeleteStrict;
import org.projectfloodlight.openflow.protocol.OFFlowModFlags;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;

/** The messages that install rules with the engine's cookie, and the rules that messages report. */
final class FlowMessages {
  private static final OFFactory OF = OpenFlow13.FACTORY;

  private FlowMessages() {}

  /**
   * Adds the rule, or replaces the entry with the same match and priority. The switch reports its
   * removal by anyone.
   */
  static OFFlowAdd add(FlowRule rule, long xid) {
    return OF.buildFlowAdd()
        .setXid(xid)
        .setCookie(OpenFlow13.ENGINE_COOKIE)
        .setTableId(TableId.ZERO)
        .setFlags(Set.of(OFFlowModFlags.SEND_FLOW_REM))
        .setPriority(rule.priority())
        .setMatch(FlowCodec.match(OF, rule))
        .setInstructions(FlowCodec.instructions(OF, rule))
        .setBufferId(OFBufferId.NO_BUFFER)
        .build();
  }

  /** Removes the entry with the rule's match and priority, if it is the engine's. */
  static OFFlowDeleteStrict delete(FlowRule rule, long xid) {
    return OF.buildFlowDeleteStrict()
        .setXid(xid)
        .setCookie(OpenFlow13.ENGINE_COOKIE)
        .setCookieMask(OpenFlow13.EXACT_COOKIE)
        .setTableId(TableId.ZERO)
        .setPriority(rule.priority())
        .setMatch(FlowCodec.match(OF, rule))
        .setOutPort(OFPort.ANY)
        .setOutGroup(OFGroup.ANY)
        .setBufferId(OFBufferId.NO_BUFFER)
        .build();
  }

  /**
   * A rule in the place of the entry that was removed, whatever its actions were; empty if the
   * entry was not the engine's.
   */
  static Optional<FlowRule> read(OFFlowRemoved removed) {
    return removed.getCookie().equals(OpenFlow13.ENGINE_COOKIE)
        ? FlowCodec.place(removed.getTableId(), removed.getPriority(), removed.getMatch())
        : Optional.empty();
  }

  /**
   * The rule an entry holds; as {@link FlowCodec#changed} if its actions are no rule's; empty if
   * the entry cannot be named by a rule, because its table, match or priority is not any rule's or
   * because it is an ARP or LLDP entry with foreign actions.
   */
  static Optional<FlowRule> read(OFFlowStatsEntry entry) {
    return FlowCodec.place(entry.getTableId(), entry.getPriority(), entry.getMatch())
        .flatMap(
            place ->
                FlowCodec.read(place, entry.getInstructions()).or(() -> FlowCodec.changed(place)));
  }
}
