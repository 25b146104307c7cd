package org.evenweave.standalone.openflow;

import java.util.Optional;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.openflow.FlowCodec;
import org.evenweave.openflow.OperationMessages;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;

/** The messages that install rules with the engine's cookie, and the rules that messages report. */
final class FlowMessages {
  static final OperationMessages OPERATIONS =
      new OperationMessages(OpenFlow13.ENGINE_COOKIE, OpenFlow13.EXACT_COOKIE, 0);

  private FlowMessages() {}

  /** As {@link OperationMessages#add}. */
  static OFFlowAdd add(FlowRule rule, long xid) {
    return OPERATIONS.add(OpenFlow13.FACTORY, rule, xid);
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
