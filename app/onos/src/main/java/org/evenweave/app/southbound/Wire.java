package org.evenweave.app.southbound;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.onosproject.net.DeviceId;

/**
 * Tables of switches, and changes of them, as lists of numbers, in few and simple classes for a
 * serializer to know.
 */
final class Wire {
  private Wire() {}

  /** Groups and rules, in that order. */
  static List<List<?>> tables(SwitchTables tables) {
    List<List<?>> wire = new ArrayList<>();
    wire.add(groups(new ArrayList<>(tables.groups().values())));
    List<long[]> rules = new ArrayList<>();
    tables.flows().values().forEach(rule -> rules.add(rule(rule)));
    wire.add(rules);
    return wire;
  }

  @SuppressWarnings("unchecked") // As tables() makes them.
  static SwitchTables toTables(List<List<?>> wire) {
    Map<Integer, SelectGroup> groups = new HashMap<>();
    toGroups((List<int[]>) wire.get(0)).forEach(group -> groups.put(group.id(), group));
    Map<String, FlowRule> rules = new HashMap<>();
    for (long[] numbers : (List<long[]>) wire.get(1)) {
      FlowRule rule = toRule(numbers);
      rules.put(rule.key(), rule);
    }
    return new SwitchTables(groups, rules);
  }

  /** A group is its id, the ports of its buckets, then their weights. */
  static List<int[]> groups(List<SelectGroup> groups) {
    List<int[]> wire = new ArrayList<>(groups.size());
    for (SelectGroup group : groups) {
      int n = group.bucketCount();
      int[] numbers = new int[1 + 2 * n];
      numbers[0] = group.id();
      System.arraycopy(group.ports(), 0, numbers, 1, n);
      System.arraycopy(group.weights(), 0, numbers, 1 + n, n);
      wire.add(numbers);
    }
    return wire;
  }

  static List<SelectGroup> toGroups(List<int[]> wire) {
    List<SelectGroup> groups = new ArrayList<>(wire.size());
    for (int[] numbers : wire) {
      int n = numbers.length / 2;
      int[] ports = new int[n];
      int[] weights = new int[n];
      System.arraycopy(numbers, 1, ports, 0, n);
      System.arraycopy(numbers, 1 + n, weights, 0, n);
      groups.add(new SelectGroup(numbers[0], ports, weights));
    }
    return groups;
  }

  /** The device's name, then for each change what is done, and the group or rule. */
  static List<Object> operations(DeviceId device, List<SwitchOperation> operations) {
    List<Object> wire = new ArrayList<>();
    wire.add(device.toString());
    for (SwitchOperation operation : operations) {
      wire.add(new int[] {operation.kind().ordinal()});
      boolean ofGroup = operation.group() != null;
      wire.add(ofGroup ? groups(List.of(operation.group())).get(0) : rule(operation.flow()));
    }
    return wire;
  }

  static DeviceId device(List<Object> operations) {
    return DeviceId.deviceId((String) operations.get(0));
  }

  static List<SwitchOperation> toOperations(List<Object> wire) {
    List<SwitchOperation> operations = new ArrayList<>();
    for (int i = 1; i < wire.size(); i += 2) {
      int kind = ((int[]) wire.get(i))[0];
      operations.add(toOperation(SwitchOperation.Kind.values()[kind], wire.get(i + 1)));
    }
    return operations;
  }

  private static SwitchOperation toOperation(SwitchOperation.Kind kind, Object subject) {
    switch (kind) {
      case ADD_GROUP:
        return SwitchOperation.addGroup(toGroup(subject));
      case MODIFY_GROUP:
        return SwitchOperation.modifyGroup(toGroup(subject));
      case DELETE_GROUP:
        return SwitchOperation.deleteGroup(toGroup(subject));
      case PUT_FLOW:
        return SwitchOperation.putFlow(toRule((long[]) subject));
      case DELETE_FLOW:
        return SwitchOperation.deleteFlow(toRule((long[]) subject));
      default:
        throw new AssertionError(kind);
    }
  }

  private static SelectGroup toGroup(Object numbers) {
    return toGroups(List.of((int[]) numbers)).get(0);
  }

  /**
   * A rule is its action, its prefix's address and length, and what the action needs; one that
   * answers ARP has the host's address and the gateway's in place of a prefix.
   */
  private static long[] rule(FlowRule rule) {
    if (rule.action() == FlowRule.Action.ANSWER_ARP) {
      return new long[] {
        rule.action().ordinal(),
        rule.hostAddress(),
        rule.gatewayAddress(),
        rule.outPort(),
        rule.sourceMac(),
        rule.destinationMac()
      };
    }
    boolean arp = rule.match() == FlowRule.Match.ARP;
    return new long[] {
      arp ? -1 : rule.action().ordinal(),
      arp ? 0 : rule.prefix().address(),
      arp ? 0 : rule.prefix().length(),
      rule.action() == FlowRule.Action.ROUTE_TO_GROUP ? rule.groupId() : rule.outPort(),
      rule.sourceMac(),
      rule.destinationMac()
    };
  }

  private static FlowRule toRule(long[] numbers) {
    if (numbers[0] < 0) {
      return FlowRule.arpToController();
    }
    FlowRule.Action action = FlowRule.Action.values()[(int) numbers[0]];
    int target = (int) numbers[3];
    if (action == FlowRule.Action.ANSWER_ARP) {
      return FlowRule.answerArp((int) numbers[2], numbers[4], (int) numbers[1], numbers[5], target);
    }
    Ipv4Prefix prefix = Ipv4Prefix.of((int) numbers[1], (int) numbers[2]);
    switch (action) {
      case TO_CONTROLLER:
        return FlowRule.prefixToController(prefix);
      case ROUTE_TO_GROUP:
        return FlowRule.routeToGroup(prefix, target);
      case ROUTE_TO_PORT:
        return FlowRule.routeToPort(prefix, target);
      case DELIVER:
        return FlowRule.deliver(prefix.address(), target, numbers[4], numbers[5]);
      default:
        throw new AssertionError(action);
    }
  }
}
