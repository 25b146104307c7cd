package org.evenweave.engine.forwarding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.evenweave.engine.nib.PortGuard;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.LeaveOut;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.evenweave.wcmp.realisation.SlotLayout;
import org.evenweave.wcmp.reduction.Ratio;

/**
 * The tables found at start-up without the next hops that have failed since. Switches hold these
 * until enough of the network is known to compute routes.
 *
 * <p>A next hop has failed towards a prefix if its port is down, or if all of the neighbour's own
 * have. The others share its slots in the ratio of theirs, or keep their weights. No next hop is
 * ever added that was not installed, as a failure that nobody here knows of may lie behind it. A
 * subset of rules that do not loop does not loop, in whatever order switches change.
 */
public final class PrunedTables {
  private final Snapshot snapshot;
  private final Fabric fabric;
  private final Map<String, SwitchTables> adopted;
  private final Map<String, SwitchTables> installed;
  private final Predicate<SwitchPort> mayBeUp;
  private final Function<String, IntStream> groupIds;
  private final Map<Integer, List<Ipv4Prefix>> prefixesOf = new HashMap<>();

  /**
   * For each prefix, the switches that lose what others send them, by the rules for all packets.
   */
  private final Map<String, Set<Integer>> deadTowards = new HashMap<>();

  private PrunedTables(
      Snapshot snapshot,
      Map<String, SwitchTables> adopted,
      Map<String, SwitchTables> installed,
      Predicate<SwitchPort> mayBeUp,
      Function<String, IntStream> groupIds) {
    this.snapshot = snapshot;
    this.adopted = adopted;
    this.installed = installed;
    this.mayBeUp = mayBeUp;
    this.groupIds = groupIds;
    fabric = snapshot.fabric();
    for (int i = 0; i < fabric.subnetCount(); i++) {
      prefixesOf
          .computeIfAbsent(fabric.subnetSwitch(i), s -> new ArrayList<>())
          .add(fabric.subnetPrefix(i));
    }
  }

  /**
   * @param adopted what was found installed, by switch id
   * @param installed what is now
   * @param mayBeUp whether a port that is no end of a known link may be up
   * @param groupIds as {@link org.evenweave.engine.port.SouthboundPort#groupIds}
   * @return the tables of every switch that can be programmed, with the rules of its own hosts
   */
  public static Map<String, SwitchTables> of(
      Snapshot snapshot,
      Map<String, SwitchTables> adopted,
      Map<String, SwitchTables> installed,
      Predicate<SwitchPort> mayBeUp,
      Function<String, IntStream> groupIds) {
    PrunedTables pruned = new PrunedTables(snapshot, adopted, installed, mayBeUp, groupIds);
    pruned.findDead();
    Map<String, SwitchTables> tables = new TreeMap<>();
    for (int s = 0; s < pruned.fabric.switchCount(); s++) {
      if (snapshot.isPresent(s) && adopted.containsKey(pruned.fabric.switchId(s))) {
        tables.put(pruned.fabric.switchId(s), pruned.tables(s));
      }
    }
    return tables;
  }

  private void findDead() {
    boolean anyFailed = false;
    Set<String> keys = new HashSet<>();
    for (Map.Entry<String, SwitchTables> entry : adopted.entrySet()) {
      int s = fabric.indexOf(entry.getKey());
      Set<Integer> ports = entry.getValue().routedPorts();
      anyFailed |= s >= 0 && snapshot.isPresent(s) && ports.isEmpty();
      for (int port : ports) {
        anyFailed |= s >= 0 && !mayBeLive(s, port);
      }
      entry.getValue().forEachRoute(rule -> keys.add(rule.key()));
    }
    if (anyFailed) {
      keys.forEach(this::findDead);
    }
  }

  private void findDead(String key) {
    Set<Integer> dead = new HashSet<>();
    deadTowards.put(key, dead);
    for (boolean changed = true; changed; ) {
      changed = false;
      for (int s = 0; s < fabric.switchCount(); s++) {
        if (!dead.contains(s) && isDead(s, key)) {
          dead.add(s);
          changed = true;
        }
      }
    }
  }

  private boolean isDead(int s, String key) {
    SwitchTables tables = adopted.get(fabric.switchId(s));
    FlowRule rule = tables == null ? null : tables.flows().get(key);
    if (tables == null || !snapshot.isPresent(s) || isLocal(s, key)) {
      return false;
    }
    return rule == null || livePorts(s, rule, tables).length == 0;
  }

  private boolean isLocal(int s, String key) {
    return prefixesOf.getOrDefault(s, List.of()).stream()
        .anyMatch(prefix -> prefix.toString().equals(key));
  }

  private int[] livePorts(int s, FlowRule rule, SwitchTables tables) {
    String prefix = rule.prefix().toString();
    Set<Integer> dead = deadTowards.getOrDefault(prefix, Set.of());
    return Arrays.stream(tables.outPorts(rule))
        .filter(port -> mayBeLive(s, port) && !dead.contains(neighbour(s, port)))
        .filter(port -> isInUse(s, rule, port) || isKnown(neighbour(s, port), prefix))
        .toArray();
  }

  private boolean isInUse(int s, FlowRule rule, int port) {
    SwitchTables now = installed.get(fabric.switchId(s));
    FlowRule held = now == null ? null : now.flows().get(rule.key());
    return held != null && Arrays.binarySearch(now.outPorts(held), port) >= 0;
  }

  /**
   * Whether a next hop that was taken out may be taken back: it is known what becomes of packets.
   */
  private boolean isKnown(int neighbour, String key) {
    return neighbour >= 0 && (snapshot.isPresent(neighbour) || isLocal(neighbour, key));
  }

  /** Whether a packet may get out of a port: by a link that is up, or by one not known yet. */
  private boolean mayBeLive(int s, int port) {
    return neighbour(s, port) >= 0 || (isUnknown(s, port) && mayBeUp.test(end(s, port)));
  }

  private boolean isUnknown(int s, int port) {
    return snapshot.awaitedPorts().contains(end(s, port));
  }

  private SwitchPort end(int s, int port) {
    return new SwitchPort(fabric.switchId(s), port);
  }

  /** The switch at the other end of the link at a port, or -1 if none is up there. */
  private int neighbour(int s, int port) {
    for (int i = 0; i < fabric.outDegree(s); i++) {
      if (fabric.port(fabric.outArc(s, i)) == port) {
        return fabric.to(fabric.outArc(s, i));
      }
    }
    return -1;
  }

  private SwitchTables tables(int s) {
    SwitchTables before = adopted.get(fabric.switchId(s));
    Map<String, FlowRule> flows = new HashMap<>(before.flows());
    Map<Integer, SelectGroup> groups = new TreeMap<>(before.groups());
    if (!deadTowards.isEmpty() || !before.equals(installed.get(fabric.switchId(s)))) {
      prune(s, before, flows, groups);
    }
    EdgeRules.all(snapshot.hostsAt(fabric.switchId(s)), prefixesOf.getOrDefault(s, List.of()))
        .forEach(rule -> flows.put(rule.key(), rule));
    keepGuards(s, before, flows);
    SwitchTables after = new SwitchTables(groups, flows);
    SwitchTables now = installed.get(fabric.switchId(s));
    return after.equals(now) ? now : after;
  }

  /** Guards stay as they are, but for ports that are guarded no more, and for hosts that came. */
  private void keepGuards(int s, SwitchTables before, Map<String, FlowRule> flows) {
    PortGuard guard = snapshot.guardAt(fabric.switchId(s));
    List<FlowRule> held = SourceGuardRules.heldIn(before);
    if (guard == PortGuard.UNKNOWN || held.isEmpty()) {
      return;
    }
    List<FlowRule> wanted = SourceGuardRules.of(guard, snapshot.hostsAt(fabric.switchId(s)));
    wanted.stream()
        .filter(rule -> rule.match() == FlowRule.Match.ADMITTED_SOURCE)
        .forEach(rule -> flows.put(rule.key(), rule));
    held.stream()
        .filter(rule -> rule.match() == FlowRule.Match.REFUSED_SOURCE && !wanted.contains(rule))
        .forEach(rule -> flows.remove(rule.key()));
  }

  private void prune(
      int s, SwitchTables before, Map<String, FlowRule> flows, Map<Integer, SelectGroup> groups) {
    // Without a rule of its own, a pair has that for its destination.
    before.forEachPair(
        rule -> {
          if (livePorts(s, rule, before).length == 0) {
            flows.remove(rule.key());
          }
        });
    // The rules of each group, by the next hops that are left to them.
    Map<Integer, Map<List<Integer>, List<FlowRule>>> rulesOf = new TreeMap<>();
    for (FlowRule rule : before.flows().values()) {
      if (rule.action() == FlowRule.Action.ROUTE_TO_GROUP
          && flows.containsKey(rule.key())
          && before.groups().containsKey(rule.groupId())) {
        List<Integer> left = new ArrayList<>();
        Arrays.stream(livePorts(s, rule, before)).forEach(left::add);
        rulesOf
            .computeIfAbsent(rule.groupId(), id -> new LinkedHashMap<>())
            .computeIfAbsent(left, ports -> new ArrayList<>())
            .add(rule);
      }
    }
    List<SelectGroup> wanted = new ArrayList<>();
    List<List<FlowRule>> users = new ArrayList<>();
    rulesOf.forEach(
        (id, rulesByPorts) -> {
          SelectGroup old = before.groups().get(id);
          rulesByPorts.forEach(
              (ports, rules) -> {
                boolean whole = ports.isEmpty() || ports.size() == old.memberPorts().length;
                wanted.add(whole ? old : only(s, old, ports));
                users.add(rules);
              });
          groups.remove(id);
        });
    SwitchTables now = installed.getOrDefault(fabric.switchId(s), SwitchTables.EMPTY);
    int[] ids = new PrunedGroupIds(now, groupIds.apply(fabric.switchId(s))).assign(wanted, users);
    for (int g = 0; g < ids.length; g++) {
      int id = ids[g];
      groups.put(id, wanted.get(g).withId(id));
      users.get(g).forEach(rule -> flows.put(rule.key(), rule.toGroup(id)));
    }
  }

  /** A group with only some of its ports. Slots are shared out again; weights stay as they are. */
  private SelectGroup only(int s, SelectGroup old, List<Integer> left) {
    int[] ports = left.stream().mapToInt(port -> port).toArray();
    if (!old.isSlotTable()) {
      int[] kept =
          IntStream.range(0, old.bucketCount())
              .filter(bucket -> Arrays.binarySearch(ports, old.port(bucket)) >= 0)
              .toArray();
      return new SelectGroup(
          old.id(),
          Arrays.stream(kept).map(old::port).toArray(),
          Arrays.stream(kept).map(old::weight).toArray());
    }
    long[] weights = new long[ports.length];
    for (int bucket = 0; bucket < old.bucketCount(); bucket++) {
      int i = Arrays.binarySearch(ports, old.port(bucket));
      if (i >= 0) {
        weights[i] += old.weight(bucket);
      }
    }
    SlotLayout layout = TableCompiler.layoutAt(fabric.stage(s));
    LeaveOut never = LeaveOut.NEVER; // of the next hops that are left
    return new BucketAllocator(Ratio.ONE, never)
        .realise(ports, weights, layout, old.bucketCount(), never.minNextHops(), old)
        .group(old.id());
  }
}
