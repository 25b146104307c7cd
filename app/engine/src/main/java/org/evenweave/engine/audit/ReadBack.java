package org.evenweave.engine.audit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.evenweave.engine.forwarding.DesiredState;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.verification.ForwardingState;
import org.evenweave.wcmp.verification.MultipathRule;
import org.evenweave.wcmp.verification.Verifier;
import org.evenweave.wcmp.verification.Violation;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.WeightRule;

/** The tables that the switches report. Immutable. */
public final class ReadBack {
  private final Map<String, SwitchTables> tables;
  private final Map<String, String> failures;

  /**
   * @param tables by switch id
   * @param failures why a switch could not be read, by switch id
   */
  public ReadBack(Map<String, SwitchTables> tables, Map<String, String> failures) {
    this.tables = tables;
    this.failures = failures;
  }

  /** By switch id. */
  public Map<String, SwitchTables> tables() {
    return tables;
  }

  /** Why a switch could not be read, by switch id. */
  public Map<String, String> failures() {
    return failures;
  }

  /**
   * What is wrong with it, whoever is to blame. Shares may be as far off as the state wanted has
   * them, or as its limit allows.
   *
   * @param installed what switches held last, for those that forward and could not be read: that is
   *     a failure of its own, and no sign of an empty table. The result has no violations of a
   *     switch of which that is not known either
   */
  public List<Violation> violations(DesiredState desired, Map<String, SwitchTables> installed) {
    Fabric fabric = desired.routing().snapshot().fabric();
    ForwardingState.Builder state = new ForwardingState.Builder(fabric);
    Map<String, SwitchTables> all = new TreeMap<>(tables);
    Set<String> unknown = new HashSet<>();
    for (String id : desired.routing().snapshot().forwardingIds()) {
      if (!tables.containsKey(id) && installed.containsKey(id)) {
        all.put(id, installed.get(id));
      } else if (!tables.containsKey(id)) {
        unknown.add(id);
      }
    }
    all.forEach(
        (id, held) -> {
          if (fabric.indexOf(id) >= 0) {
            held.forEachRoute(
                rule -> {
                  if (isRoute(rule, held)) {
                    state.add(fabric.indexOf(id), multipathRule(rule, held));
                  }
                });
            held.forEachPair(
                rule -> {
                  if (isRoute(rule, held)) {
                    state.addForSource(fabric.indexOf(id), multipathRule(rule, held));
                  }
                });
          }
        });
    Ratio limit = desired.limit();
    for (GroupState group : desired.groups()) {
      Ratio worst = group.exactOversubscription();
      limit = worst.compareTo(limit) > 0 ? worst : limit;
    }
    List<Violation> found =
        new ArrayList<>(Verifier.verify(state.build(), ideal(desired.routing()), limit));
    found.removeIf(violation -> unknown.contains(violation.switchId()));
    return found;
  }

  /** By the topology alone, unless the weights are for something else, or until they are. */
  private static IntFunction<DestinationRoutes> ideal(Routing routing) {
    return routing.rule() == WeightRule.TRAFFIC || !routing.hasFlowsOfDestinations()
        ? routing::to
        : to -> routing.rule().routes(routing.snapshot().fabric(), to);
  }

  private static boolean isRoute(FlowRule rule, SwitchTables held) {
    return rule.action() == FlowRule.Action.ROUTE_TO_PORT
        || (rule.action() == FlowRule.Action.ROUTE_TO_GROUP && held.group(rule.groupId()) != null);
  }

  private static MultipathRule multipathRule(FlowRule rule, SwitchTables held) {
    if (rule.action() == FlowRule.Action.ROUTE_TO_PORT) {
      return new MultipathRule(rule.prefix(), 0, new int[] {rule.outPort()}, new int[] {1});
    }
    SelectGroup group = held.group(rule.groupId());
    Map<Integer, Integer> weightOfPort = new TreeMap<>();
    for (int bucket = 0; bucket < group.bucketCount(); bucket++) {
      weightOfPort.merge(group.port(bucket), group.weight(bucket), Integer::sum);
    }
    int[] ports = group.memberPorts();
    int[] weights = Arrays.stream(ports).map(weightOfPort::get).toArray();
    return new MultipathRule(rule.prefix(), group.id(), ports, weights);
  }
}
