package org.evenweave.app.southbound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.RuleCount;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.Limits;
import org.onosproject.net.DeviceId;

/**
 * Serialized form of switch tables and changes between instances: lists of numbers, so that the
 * serializer has few classes to register.
 *
 * <p>Every list begins with {@link #VERSION}, and enumeration constants have numbers that do not
 * depend on their order: instances of two versions of the application, as during an upgrade,
 * understand each other or refuse the message.
 */
final class WireFormat {
  /** To be incremented with any change of the format, new numbers included. */
  static final int VERSION = 7;

  private static final Map<SwitchOperation.Kind, Integer> KINDS =
      numbered(
          SwitchOperation.Kind.class,
          Map.of(
              SwitchOperation.Kind.ADD_GROUP, 1,
              SwitchOperation.Kind.MODIFY_GROUP, 2,
              SwitchOperation.Kind.DELETE_GROUP, 3,
              SwitchOperation.Kind.PUT_FLOW, 4,
              SwitchOperation.Kind.DELETE_FLOW, 5));

  /** In place of a kind: the group that the change before replaces. */
  private static final int REPLACED = 6;

  private WireFormat() {}

  /** Fails when the class is loaded, not when a constant without a number is first sent. */
  static <E extends Enum<E>> Map<E, Integer> numbered(Class<E> type, Map<E, Integer> numbers) {
    for (E constant : type.getEnumConstants()) {
      if (!numbers.containsKey(constant)) {
        throw new IllegalStateException(constant + " has no number on the wire");
      }
    }
    return numbers;
  }

  static <E> E constant(Map<E, Integer> numbers, int number) {
    for (Map.Entry<E, Integer> entry : numbers.entrySet()) {
      if (entry.getValue() == number) {
        return entry.getKey();
      }
    }
    throw new IllegalArgumentException(
        "another instance of ONOS sent the unknown number " + number);
  }

  private static int[] version() {
    return new int[] {VERSION};
  }

  /** The list without its version, which must be {@link #VERSION}. */
  private static <T> List<T> checked(List<T> wire) {
    Object first = wire.isEmpty() ? null : wire.get(0);
    boolean ours =
        first instanceof int[] && ((int[]) first).length == 1 && ((int[]) first)[0] == VERSION;
    if (!ours) {
      throw new IllegalArgumentException(
          "another instance of ONOS has another version of Evenweave: install the same on all");
    }
    return wire.subList(1, wire.size());
  }

  /**
   * The groups, the rules, then foreign rules and groups as OpenFlow has them, then ports with the
   * packets that were refused there, then how many groups the device reports that it holds.
   */
  static List<Object> tables(DeviceTables device) {
    SwitchTables tables = device.own();
    List<int[]> groups = new ArrayList<>();
    tables.groups().values().forEach(group -> groups.add(numbers(group)));
    List<long[]> rules = new ArrayList<>();
    tables.flows().values().forEach(rule -> rules.add(RuleNumbers.of(rule)));
    List<long[]> refused = new ArrayList<>();
    device.refusedSources().forEach((port, packets) -> refused.add(new long[] {port, packets}));
    return wire(
        groups,
        rules,
        new ArrayList<>(device.foreignRules()),
        new ArrayList<>(device.foreignGroups()),
        refused,
        new int[] {device.limits().groups()});
  }

  @SuppressWarnings("unchecked") // As tables() makes them.
  static DeviceTables toTables(List<Object> wire) {
    List<Object> parts = checked(wire);
    Map<Integer, SelectGroup> groups = new HashMap<>();
    for (int[] numbers : (List<int[]>) parts.get(0)) {
      SelectGroup group = toGroup(numbers);
      groups.put(group.id(), group);
    }
    Map<String, FlowRule> rules = new HashMap<>();
    for (long[] numbers : (List<long[]>) parts.get(1)) {
      FlowRule rule = RuleNumbers.toRule(numbers);
      rules.put(rule.key(), rule);
    }
    Map<Integer, Long> refused = new HashMap<>();
    for (long[] port : (List<long[]>) parts.get(4)) {
      refused.put((int) port[0], port[1]);
    }
    return new DeviceTables(
        new SwitchTables(groups, rules),
        (List<byte[]>) parts.get(2),
        (List<byte[]>) parts.get(3),
        refused,
        Limits.NONE.withGroups(((int[]) parts.get(5))[0]));
  }

  /** Of groups the id and the packets; the rules, and the packets of each. */
  static List<Object> counters(SwitchCounters counters) {
    List<long[]> groups = new ArrayList<>();
    counters.groups().forEach((id, packets) -> groups.add(new long[] {id, packets}));
    List<long[]> rules = new ArrayList<>();
    List<long[]> packetsOf = new ArrayList<>();
    counters
        .rules()
        .forEach(
            (rule, packets) -> {
              rules.add(RuleNumbers.of(rule));
              packetsOf.add(new long[] {packets});
            });
    return wire(groups, rules, packetsOf);
  }

  @SuppressWarnings("unchecked") // As counters() makes them.
  static SwitchCounters toCounters(List<Object> wire) {
    List<Object> parts = checked(wire);
    Map<Integer, Long> groups = new HashMap<>();
    for (long[] group : (List<long[]>) parts.get(0)) {
      groups.put((int) group[0], group[1]);
    }
    Map<FlowRule, Long> rules = new HashMap<>();
    List<long[]> packetsOf = (List<long[]>) parts.get(2);
    int i = 0;
    for (long[] rule : (List<long[]>) parts.get(1)) {
      rules.put(RuleNumbers.toRule(rule), packetsOf.get(i++)[0]);
    }
    return new SwitchCounters(groups, rules);
  }

  /**
   * Of each route the prefix's address and length, the bytes and the age in nanoseconds, and of a
   * pair the source's address and length.
   */
  static List<Object> counts(Collection<RuleCount> counts) {
    List<long[]> routes = new ArrayList<>();
    for (RuleCount count : counts) {
      routes.add(
          withSource(
              count.source(),
              count.prefix().address(),
              count.prefix().length(),
              count.bytes(),
              count.ageNanos()));
    }
    return wire(routes);
  }

  @SuppressWarnings("unchecked") // As counts() makes them.
  static Collection<RuleCount> toCounts(List<Object> wire) {
    List<RuleCount> counts = new ArrayList<>();
    for (long[] route : (List<long[]>) checked(wire).get(0)) {
      Ipv4Prefix prefix = Ipv4Prefix.of((int) route[0], (int) route[1]);
      counts.add(new RuleCount(sourceAfter(4, route), prefix, route[2], route[3]));
    }
    return counts;
  }

  private static long[] withSource(Ipv4Prefix source, long... numbers) {
    return source == null
        ? numbers
        : LongStream.concat(
                Arrays.stream(numbers), LongStream.of(source.address(), source.length()))
            .toArray();
  }

  /** The source that follows so many numbers, or null. */
  private static Ipv4Prefix sourceAfter(int count, long[] numbers) {
    return numbers.length == count
        ? null
        : Ipv4Prefix.of((int) numbers[count], (int) numbers[count + 1]);
  }

  /** A rule of a device. */
  static List<Object> ruleOf(DeviceId device, FlowRule rule) {
    return wire(device.toString(), RuleNumbers.of(rule));
  }

  static FlowRule toRule(List<Object> ruleOf) {
    return RuleNumbers.toRule((long[]) checked(ruleOf).get(1));
  }

  private static List<Object> wire(Object... parts) {
    List<Object> wire = new ArrayList<>();
    wire.add(version());
    wire.addAll(Arrays.asList(parts));
    return wire;
  }

  /**
   * The id, 1 if all buckets watch their ports or else 0, how many weights there are, the ports,
   * and the weights: a large table has none.
   */
  private static int[] numbers(SelectGroup group) {
    int[] ports = group.ports();
    int[] weights = group.isLarge() ? new int[0] : group.weights();
    int[] numbers = new int[3 + ports.length + weights.length];
    numbers[0] = group.id();
    numbers[1] = group.isWatched() ? 1 : 0;
    numbers[2] = weights.length;
    System.arraycopy(ports, 0, numbers, 3, ports.length);
    System.arraycopy(weights, 0, numbers, 3 + ports.length, weights.length);
    return numbers;
  }

  private static SelectGroup toGroup(int[] numbers) {
    int afterPorts = numbers.length - numbers[2];
    int[] ports = Arrays.copyOfRange(numbers, 3, afterPorts);
    if (numbers[2] == 0) {
      return SelectGroup.largeTable(numbers[0], ports);
    }
    SelectGroup group =
        new SelectGroup(numbers[0], ports, Arrays.copyOfRange(numbers, afterPorts, numbers.length));
    return numbers[1] == 1 ? group : group.unwatched();
  }

  /**
   * A request for a switch: the device id, the leader's epoch and the request's number in it, then
   * for each change its kind, and the group or rule. Where it is known what a group replaces, that
   * follows in the same way, as {@link #REPLACED}.
   */
  static List<Object> request(
      DeviceId device, long epoch, long number, List<SwitchOperation> operations) {
    List<Object> wire = wire(device.toString(), new long[] {epoch, number});
    for (SwitchOperation operation : operations) {
      wire.add(new int[] {KINDS.get(operation.kind())});
      boolean ofGroup = operation.group() != null;
      wire.add(ofGroup ? numbers(operation.group()) : RuleNumbers.of(operation.flow()));
      if (operation.replaced() != null) {
        wire.add(new int[] {REPLACED});
        wire.add(numbers(operation.replaced()));
      }
    }
    return wire;
  }

  /** Frames for ports of a device, and the leader that they are of: pairs of port and frame. */
  static List<Object> frames(DeviceId device, String leader, Map<Integer, byte[]> frameByPort) {
    List<Object> wire = wire(device.toString(), leader);
    frameByPort.forEach(
        (port, frame) -> {
          wire.add(new int[] {port});
          wire.add(frame);
        });
    return wire;
  }

  static String leader(List<Object> frames) {
    return (String) checked(frames).get(1);
  }

  static Map<Integer, byte[]> toFrames(List<Object> frames) {
    List<Object> parts = checked(frames);
    Map<Integer, byte[]> frameByPort = new HashMap<>();
    for (int i = 2; i < parts.size(); i += 2) {
      frameByPort.put(((int[]) parts.get(i))[0], (byte[]) parts.get(i + 1));
    }
    return frameByPort;
  }

  /** The device of a request, of frames, or of a rule. */
  static DeviceId device(List<Object> request) {
    return DeviceId.deviceId((String) checked(request).get(0));
  }

  static long epoch(List<Object> request) {
    return ((long[]) checked(request).get(1))[0];
  }

  static long number(List<Object> request) {
    return ((long[]) checked(request).get(1))[1];
  }

  static List<SwitchOperation> toOperations(List<Object> request) {
    List<Object> parts = checked(request);
    List<SwitchOperation> operations = new ArrayList<>();
    for (int i = 2; i < parts.size(); i += 2) {
      int kind = ((int[]) parts.get(i))[0];
      if (kind == REPLACED) {
        SelectGroup group = operations.remove(operations.size() - 1).group();
        SelectGroup replaced = toGroup((int[]) parts.get(i + 1));
        operations.add(SwitchOperation.modifyGroup(replaced, group));
      } else {
        operations.add(toOperation(constant(KINDS, kind), parts.get(i + 1)));
      }
    }
    return operations;
  }

  private static SwitchOperation toOperation(SwitchOperation.Kind kind, Object subject) {
    switch (kind) {
      case ADD_GROUP:
        return SwitchOperation.addGroup(toGroup((int[]) subject));
      case MODIFY_GROUP:
        return SwitchOperation.modifyGroup(toGroup((int[]) subject));
      case DELETE_GROUP:
        return SwitchOperation.deleteGroup(toGroup((int[]) subject));
      case PUT_FLOW:
        return SwitchOperation.putFlow(RuleNumbers.toRule((long[]) subject));
      case DELETE_FLOW:
        return SwitchOperation.deleteFlow(RuleNumbers.toRule((long[]) subject));
      default:
        throw new AssertionError(kind);
    }
  }
}
