package org.evenweave.app.southbound;

import java.util.List;
import java.util.Optional;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.onlab.packet.Ethernet;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip4Prefix;
import org.onlab.packet.MacAddress;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.GroupId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.EthTypeCriterion;
import org.onosproject.net.flow.criteria.IPCriterion;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions.GroupInstruction;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModEtherInstruction;

/** The engine's rules as ONOS flow rules, and back. */
public final class FlowTranslator {
  /**
   * ONOS asks for ARP itself, with the same match at the priority that the engine uses: one rule in
   * the switch for two entries in ONOS, which then repair each other for ever. One above is free.
   */
  private static final int ABOVE_ONOS = 1;

  private static final int TABLE = 0;

  private final ApplicationId application;

  public FlowTranslator(ApplicationId application) {
    this.application = application;
  }

  /** The rule as ONOS installs it. */
  public org.onosproject.net.flow.FlowRule toOnos(DeviceId device, FlowRule rule) {
    return DefaultFlowRule.builder()
        .forDevice(device)
        .forTable(TABLE)
        .fromApp(application)
        .withPriority(rule.priority() + ABOVE_ONOS)
        .withSelector(selector(rule))
        .withTreatment(treatment(rule))
        .makePermanent()
        .build();
  }

  /** The engine's rule; empty if this is none that the engine could have made. */
  public Optional<FlowRule> fromOnos(org.onosproject.net.flow.FlowRule rule) {
    Optional<FlowRule> place = place(rule.selector());
    if (place.isEmpty() || rule.priority() != place.get().priority() + ABOVE_ONOS) {
      return Optional.empty();
    }
    return place.flatMap(found -> withActions(found, rule.treatment().allInstructions()));
  }

  private static TrafficSelector selector(FlowRule rule) {
    if (rule.match() == FlowRule.Match.ARP) {
      return DefaultTrafficSelector.builder().matchEthType(Ethernet.TYPE_ARP).build();
    }
    Ipv4Prefix prefix = rule.prefix();
    return DefaultTrafficSelector.builder()
        .matchEthType(Ethernet.TYPE_IPV4)
        .matchIPDst(Ip4Prefix.valueOf(prefix.address(), prefix.length()))
        .build();
  }

  private static TrafficTreatment treatment(FlowRule rule) {
    TrafficTreatment.Builder treatment = DefaultTrafficTreatment.builder();
    switch (rule.action()) {
      case TO_CONTROLLER:
        return treatment.punt().build();
      case ROUTE_TO_GROUP:
        return treatment.decNwTtl().group(GroupId.valueOf(rule.groupId())).build();
      case ROUTE_TO_PORT:
        return treatment.decNwTtl().setOutput(PortNumber.portNumber(rule.outPort())).build();
      case DELIVER:
        return treatment
            .decNwTtl()
            .setEthSrc(MacAddress.valueOf(rule.sourceMac()))
            .setEthDst(MacAddress.valueOf(rule.destinationMac()))
            .setOutput(PortNumber.portNumber(rule.outPort()))
            .build();
      default:
        throw new AssertionError(rule.action());
    }
  }

  private static Optional<FlowRule> place(TrafficSelector selector) {
    EthTypeCriterion type = (EthTypeCriterion) selector.getCriterion(Criterion.Type.ETH_TYPE);
    IPCriterion destination = (IPCriterion) selector.getCriterion(Criterion.Type.IPV4_DST);
    int fields = selector.criteria().size();
    if (type == null) {
      return Optional.empty();
    }
    if (type.ethType().toShort() == Ethernet.TYPE_ARP && fields == 1) {
      return Optional.of(FlowRule.arpToController());
    }
    if (type.ethType().toShort() != Ethernet.TYPE_IPV4 || destination == null || fields != 2) {
      return Optional.empty();
    }
    Ip4Address address = destination.ip().getIp4Prefix().address();
    return Optional.of(
        FlowRule.prefixToController(
            Ipv4Prefix.of(address.toInt(), destination.ip().prefixLength())));
  }

  /** The only rule in this place with these actions, found by the last and checked by all. */
  private static Optional<FlowRule> withActions(FlowRule place, List<Instruction> actions) {
    FlowRule rule = judgedByLast(place, actions);
    return rule != null && treatment(rule).allInstructions().equals(actions)
        ? Optional.of(rule)
        : Optional.empty();
  }

  private static FlowRule judgedByLast(FlowRule place, List<Instruction> actions) {
    Instruction last = actions.isEmpty() ? null : actions.get(actions.size() - 1);
    if (last instanceof OutputInstruction
        && ((OutputInstruction) last).port().equals(PortNumber.CONTROLLER)) {
      return place;
    }
    if (place.match() == FlowRule.Match.ARP) {
      return null;
    }
    if (last instanceof GroupInstruction) {
      int groupId = ((GroupInstruction) last).groupId().id();
      return GroupIdRange.contains(groupId) ? FlowRule.routeToGroup(place.prefix(), groupId) : null;
    }
    if (!(last instanceof OutputInstruction)) {
      return null;
    }
    int port = (int) ((OutputInstruction) last).port().toLong();
    if (actions.size() == 4
        && place.prefix().length() == 32
        && actions.get(1) instanceof ModEtherInstruction
        && actions.get(2) instanceof ModEtherInstruction) {
      return FlowRule.deliver(
          place.prefix().address(),
          port,
          ((ModEtherInstruction) actions.get(1)).mac().toLong(),
          ((ModEtherInstruction) actions.get(2)).mac().toLong());
    }
    return FlowRule.routeToPort(place.prefix(), port);
  }
}
