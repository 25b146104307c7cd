package org.evenweave.app.southbound;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.openflow.FlowCodec;
import org.evenweave.openflow.LargeTable;
import org.evenweave.openflow.OperationMessages;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.instruction.OFInstruction;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/**
 * Recognises Evenweave's groups and rules among those of ONOS and other applications: a group by
 * its id, a rule by its place, that is, its match and priority.
 */
final class OwnEntries {
  /** "evenweav" in ASCII. ONOS takes the upper 16 bits for an application's id; none is as high. */
  static final U64 COOKIE = U64.of(0x6576_656e_7765_6176L);

  /**
   * ONOS requests ARP packets itself, with the same match at the engine's priority: the switch has
   * room for one of these rules. One above is free.
   */
  static final int ABOVE_ONOS = 1;

  /**
   * The messages that change a switch. Rules are deleted whatever their cookie: those that an
   * earlier release installed through ONOS's services have cookies of ONOS's.
   */
  static final OperationMessages OPERATIONS = new OperationMessages(COOKIE, U64.ZERO, ABOVE_ONOS);

  /**
   * The group ids of Evenweave on a device, "EW" and a number in hex: 65,535, far from those that
   * ONOS allocates for other applications. Ports of large tables have groups beside these ({@link
   * LargeTable#isPortGroup}).
   */
  static final int FIRST_GROUP = 0x4557_0001;

  private static final int LAST_GROUP = 0x4557_ffff;

  private OwnEntries() {}

  /** All group ids of Evenweave, in ascending order. */
  static IntStream groupIds() {
    return IntStream.rangeClosed(FIRST_GROUP, LAST_GROUP);
  }

  /** Why a change has no form in OpenFlow, or null. */
  static String problem(SwitchOperation operation) {
    SelectGroup group = operation.group();
    return group != null && group.isLarge() && operation.kind() != SwitchOperation.Kind.DELETE_GROUP
        ? LargeTable.problem(group, FIRST_GROUP)
        : null;
  }

  static boolean isGroup(int groupId) {
    return groupId >= FIRST_GROUP && groupId <= LAST_GROUP;
  }

  /**
   * The engine's rule that equals a switch's flow entry, or {@link FlowCodec#changed}. Empty if the
   * entry is not Evenweave's, by its place or, with actions of no rule, by its cookie.
   */
  static Optional<FlowRule> rule(OFFlowStatsEntry entry) {
    boolean ours = entry.getCookie().equals(COOKIE);
    return place(entry.getTableId(), entry.getPriority(), entry.getMatch())
        .flatMap(
            place ->
                rule(place, SecondLookup.fromSwitch(entry))
                    .or(() -> ours ? FlowCodec.changed(place) : Optional.empty()));
  }

  /**
   * A rule in the place of an entry that a switch no longer has; empty if it is not Evenweave's.
   */
  static Optional<FlowRule> place(OFFlowRemoved removed) {
    return place(removed.getTableId(), removed.getPriority(), removed.getMatch());
  }

  /** The priority of a rule in the switch. */
  static int priority(FlowRule rule) {
    return rule.priority() + ABOVE_ONOS;
  }

  /** ONOS finds links itself, and sends LLDP to the controller by rules of its own. */
  private static Optional<FlowRule> place(TableId table, int priority, Match match) {
    return FlowCodec.place(table, priority - ABOVE_ONOS, match)
        .filter(rule -> rule.match() != FlowRule.Match.LLDP);
  }

  /** A route to a group of another application is not the engine's. */
  private static Optional<FlowRule> rule(FlowRule place, List<OFInstruction> instructions) {
    return FlowCodec.read(place, instructions)
        .filter(rule -> rule.action() != FlowRule.Action.ROUTE_TO_GROUP || isGroup(rule.groupId()));
  }
}
