package org.evenweave.engine.forwarding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.paths.PathCalculator;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.GuardRules;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.port.SwitchTraits;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.LeaveOut;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.topology.FatTree;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

class TableCompilerTest {
  private static final Host HOST = new Host(Ipv4Prefix.parseAddress("10.0.0.7"), 0xa, "s1-0", 9);

  private static final SwitchTraits WITH_STANDING_RULE =
      new SwitchTraits() {
        @Override
        public Collection<FlowRule> standingRules() {
          return List.of(FlowRule.lldpToController());
        }
      };

  private static Routing routing(Fabric fabric, Host... hosts) {
    return PathCalculator.routes(
        new Snapshot(1, fabric, List.of(hosts)), WeightRule.EFFECTIVE_CAPACITY);
  }

  private static DesiredState compile(Routing routing, Map<String, SwitchTables> installed) {
    return TableCompiler.compile(routing, installed, SwitchTraits.UNKNOWN);
  }

  private static DesiredState compile(
      Routing routing, Map<String, SwitchTables> installed, DesiredState earlier, boolean keeps) {
    return TableCompiler.compile(
        routing, Ratio.ONE, LeaveOut.NEVER, installed, WITH_STANDING_RULE, earlier, keeps);
  }

  /** Without those that keep out what is no traffic of a router's. */
  private static Set<String> rules(SwitchTables tables) {
    return tables.flows().values().stream()
        .filter(rule -> !GuardRules.ofSwitch().contains(rule))
        .map(FlowRule::toString)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** From s1-0 the uplinks weigh 1:1:2:2 towards both others. */
  @Test
  void destinationsOfTheSameNextHopsAndWeightsShareAGroup() {
    SwitchTables tables = compile(routing(Fabrics.figure32()), Map.of()).tables().get("s1-0");
    assertEquals(
        "[group 0x1: port 1 has 43, port 2 has 43, port 3 has 85, port 4 has 85 of 256]",
        tables.groups().values().toString());
    assertEquals(
        Set.of(
            "10.0.0.0/24 -> TO_CONTROLLER",
            "10.0.1.0/24 -> ROUTE_TO_GROUP 0x1",
            "10.0.2.0/24 -> ROUTE_TO_GROUP 0x1",
            "arp -> TO_CONTROLLER",
            "rarp -> TO_CONTROLLER"),
        rules(tables));
  }

  /** Two uplinks share one link to s1-1, and have two to s1-2. */
  @Test
  void destinationsOfTheSameNextHopsAndOtherWeightsDoNot() {
    Fabric uneven = Fabrics.clos(new int[][] {{2, 1}, {1, 1}, {2, 1}});
    SwitchTables tables = compile(routing(uneven), Map.of()).tables().get("s1-0");
    assertEquals(
        "[group 0x1: port 1 has 64, port 2 has 64, port 3 has 128 of 256,"
            + " group 0x2: port 1 has 86, port 2 has 85, port 3 has 85 of 256]",
        tables.groups().values().toString());
    assertEquals(1, tables.flows().get("10.0.1.0/24").groupId());
    assertEquals(2, tables.flows().get("10.0.2.0/24").groupId());
  }

  @Test
  void aHostIsDeliveredToAndItsSwitchAnswersForTheGateway() {
    SwitchTables tables = compile(routing(Fabrics.figure32(), HOST), Map.of()).tables().get("s1-0");
    assertTrue(rules(tables).contains("10.0.0.7/32 -> DELIVER 9"), tables::toString);
    assertTrue(
        rules(tables).contains("arp 10.0.0.1 from 10.0.0.7 a port 9 -> ANSWER_ARP 9"),
        tables::toString);
  }

  @Test
  void slotsAlternateInS1SwitchesAndLieTogetherInS2Switches() {
    Fabric even = Fabrics.clos(new int[][] {{2, 2}, {2, 2}});
    Map<String, SwitchTables> tables = compile(routing(even), Map.of()).tables();
    assertEquals(List.of(1, 2, 3, 4), distinctRuns(tables.get("s1-0")).subList(0, 4));
    assertEquals(List.of(1, 2), distinctRuns(tables.get("s2-0")));
  }

  /** The ports of a switch's first group, neighbours that are equal once. */
  private static List<Integer> distinctRuns(SwitchTables tables) {
    List<Integer> runs = new ArrayList<>();
    for (int port : tables.groups().get(1).ports()) {
      if (runs.isEmpty() || runs.get(runs.size() - 1) != port) {
        runs.add(port);
      }
    }
    return runs;
  }

  @Test
  void groupsThatDoNotFitTheTableAreRefused() {
    Fabric small =
        new FabricBuilder()
            .addSwitch("a", 1, 15)
            .addSwitch("b", 1, Fabric.UNLIMITED)
            .addLink("a/1", "b/1", 10)
            .addLink("a/2", "b/2", 10)
            .addSubnet("b", Ipv4Prefix.parse("10.0.1.0/24"))
            .build();
    assertEquals(
        "a: its 1 group needs at least 16 multipath table entries, and its table has 15",
        assertThrows(CannotFitException.class, () -> compile(routing(small), Map.of()))
            .getMessage());
  }

  @Test
  void aSwitchThatIsCutOffKeepsItsRuleAndGroupOnlyWhereItIsAskedTo() {
    Fabric fabric = Fabrics.figure32();
    DesiredState before = compile(routing(fabric), Map.of());
    Routing cutOff = routing(fabric.withLinksDown(0, 1, 2, 3));
    SwitchTables kept = compile(cutOff, before.tables(), null, true).tables().get("s1-0");
    assertEquals(before.tables().get("s1-0").groups(), kept.groups());
    assertTrue(rules(kept).contains("10.0.1.0/24 -> ROUTE_TO_GROUP 0x1"), kept::toString);
    SwitchTables bare = compile(cutOff, before.tables(), null, false).tables().get("s1-0");
    assertEquals(
        Set.of(
            "10.0.0.0/24 -> TO_CONTROLLER",
            "arp -> TO_CONTROLLER",
            "lldp -> TO_CONTROLLER",
            "rarp -> TO_CONTROLLER"),
        rules(bare));
    assertEquals(Map.of(), bare.groups());
  }

  @Test
  void aSwitchThatHasARouteFollowsItAlsoWhereOthersKeepTheirRules() {
    Fabric fabric = Fabrics.figure32();
    Map<String, SwitchTables> installed = compile(routing(fabric), Map.of()).tables();
    Routing oneUplinkLess = routing(fabric.withLinksDown(0));
    assertEquals(
        compile(oneUplinkLess, installed, null, false).tables(),
        compile(oneUplinkLess, installed, null, true).tables());
  }

  /** Against breadth-first search: who forwards to whom, and which prefixes share a group. */
  @Property(tries = 500)
  void everySwitchForwardsToAllNeighboursThatAreNearer(
      @ForAll @IntRange(min = 2, max = 7) int switches,
      @ForAll @IntRange(min = 1, max = 14) int links,
      @ForAll long seed) {
    Fabric fabric = Fabrics.random(new SplittableRandom(seed), switches, links);
    Routing routing = routing(fabric);
    DesiredState desired = compile(routing, Map.of());
    for (int s = 0; s < switches; s++) {
      SwitchTables tables = desired.tables().get(fabric.switchId(s));
      Map<String, Set<Integer>> groupsOfIdeal = new HashMap<>();
      for (int subnet = 0; subnet < switches; subnet++) {
        if (subnet == s) {
          continue;
        }
        int[] nearer = nearer(fabric, s, distances(fabric, subnet));
        assertEquals(
            Arrays.toString(nearer),
            Arrays.toString(tables.outPorts(fabric.subnetPrefix(subnet))),
            fabric.switchId(s) + " to " + fabric.switchId(subnet));
        if (nearer.length > 1) {
          groupsOfIdeal
              .computeIfAbsent(routing.to(subnet).group(s).toString(), ideal -> new TreeSet<>())
              .add(tables.flows().get(fabric.subnetPrefix(subnet).toString()).groupId());
        }
      }
      groupsOfIdeal.values().forEach(ids -> assertEquals(1, ids.size(), ids::toString));
      assertEquals(groupsOfIdeal.size(), tables.groups().size());
    }
  }

  private static int[] distances(Fabric fabric, int from) {
    int[] distances = new int[fabric.switchCount()];
    Arrays.fill(distances, Integer.MAX_VALUE);
    distances[from] = 0;
    for (int round = 0; round < distances.length; round++) {
      for (int arc = 0; arc < fabric.arcCount(); arc++) {
        if (distances[fabric.from(arc)] == round && distances[fabric.to(arc)] > round) {
          distances[fabric.to(arc)] = round + 1;
        }
      }
    }
    return distances;
  }

  private static int[] nearer(Fabric fabric, int s, int[] distances) {
    return IntStream.range(0, fabric.arcCount())
        .filter(arc -> fabric.from(arc) == s && distances[fabric.to(arc)] < distances[s])
        .map(fabric::port)
        .sorted()
        .toArray();
  }

  /** An earlier result, and what is installed, save work and flows, and change nothing else. */
  @Property(tries = 300)
  void whatWasCompiledBeforeChangesNoShares(
      @ForAll @IntRange(min = 2, max = 6) int switches,
      @ForAll @IntRange(min = 1, max = 12) int links,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = Fabrics.random(random, switches, links);
    Routing first = routing(fabric);
    DesiredState earlier = compile(first, Map.of(), null, false);
    int[] down = IntStream.range(0, links).filter(link -> random.nextInt(4) == 0).toArray();
    Snapshot next = new Snapshot(2, fabric.withLinksDown(down), List.of());
    Routing repaired = PathCalculator.routes(next, WeightRule.EFFECTIVE_CAPACITY, first);
    DesiredState sooner = compile(repaired, earlier.tables(), earlier, false);
    DesiredState anew =
        compile(PathCalculator.routes(next, WeightRule.EFFECTIVE_CAPACITY), Map.of(), null, false);
    assertEquals(shares(anew), shares(sooner));
    DesiredState again = compile(repaired, sooner.tables(), null, false);
    sooner.tables().forEach((id, tables) -> assertSame(tables, again.tables().get(id)));
  }

  /** Links of a fat-tree fail and come back, and hosts come, change and leave, in small steps. */
  @Property(tries = 60)
  void tablesCarriedOverFromEventToEventAreThoseCompiledInFull(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = FatTree.of(4, 1);
    Routing routing = routing(fabric);
    DesiredState state = compile(routing, Map.of(), null, false);
    Map<Integer, Host> hosts = new TreeMap<>();
    for (int event = 0; event < 12; event++) {
      int link = random.nextInt(fabric.linkCount());
      if (random.nextInt(3) > 0) {
        fabric = fabric.isUp(link) ? fabric.withLinksDown(link) : fabric.withLinksUp(link);
      }
      if (random.nextBoolean()) {
        Host host = anyHost(fabric, random);
        hosts.remove(host.address());
        if (random.nextInt(3) > 0) {
          hosts.put(host.address(), host);
        }
      }
      Snapshot next = new Snapshot(event + 2, fabric, List.copyOf(hosts.values()));
      routing = PathCalculator.routes(next, WeightRule.EFFECTIVE_CAPACITY, routing);
      DesiredState inFull = compile(routing, state.tables(), null, false);
      state = compile(routing, state.tables(), state, false);
      assertEquals(shares(compile(routing, Map.of(), null, false)), shares(state));
      assertEquals(buckets(inFull), buckets(state), "as many flows move");
      DesiredState again = compile(routing, state.tables(), null, false);
      state.tables().forEach((id, tables) -> assertSame(tables, again.tables().get(id)));
    }
  }

  /** One of few addresses, at one of two ports. */
  private static Host anyHost(Fabric fabric, SplittableRandom random) {
    int subnet = random.nextInt(2);
    int address = fabric.subnetPrefix(subnet).gateway() + 1 + random.nextInt(2);
    String switchId = fabric.switchId(fabric.subnetSwitch(subnet));
    return new Host(address, 0x02_00_00_00_00_00L + address, switchId, 100 + random.nextInt(2));
  }

  /** The host's rule takes the place of the one that routes to b, which comes back when it goes. */
  @Test
  void aHostMayHaveTheAddressThatIsAnotherSwitchsPrefix() {
    Fabric fabric =
        new FabricBuilder()
            .addSwitch("a", 1, Fabric.UNLIMITED)
            .addSwitch("b", 1, Fabric.UNLIMITED)
            .addLink("a/1", "b/1", 10)
            .addSubnet("a", Ipv4Prefix.parse("10.0.0.0/24"))
            .addSubnet("b", Ipv4Prefix.parse("10.0.0.7/32"))
            .build();
    Routing first = routing(fabric, new Host(HOST.address(), 0xa, "a", 9));
    DesiredState withHost = compile(first, Map.of(), null, false);
    Snapshot gone = new Snapshot(2, fabric, List.of());
    Routing next = PathCalculator.routes(gone, WeightRule.EFFECTIVE_CAPACITY, first);
    DesiredState without = compile(next, withHost.tables(), withHost, false);
    assertEquals(compile(next, withHost.tables(), null, false).tables(), without.tables());
    assertEquals(
        FlowRule.routeToPort(Ipv4Prefix.parse("10.0.0.7/32"), 1),
        without.tables().get("a").routeTo(Ipv4Prefix.parse("10.0.0.7/32")));
  }

  /** By switch and prefix: the port of each bucket. */
  private static Map<String, String> buckets(DesiredState desired) {
    Map<String, String> buckets = new TreeMap<>();
    desired
        .tables()
        .forEach(
            (id, tables) ->
                tables.forEachRoute(
                    rule -> {
                      SelectGroup group = tables.groups().get(rule.groupId());
                      if (rule.action() == FlowRule.Action.ROUTE_TO_GROUP) {
                        buckets.put(id + " " + rule.key(), Arrays.toString(group.ports()));
                      }
                    }));
    return buckets;
  }

  /** By switch and prefix or other match: what becomes of packets, by port and number of slots. */
  private static Map<String, String> shares(DesiredState desired) {
    Map<String, String> shares = new TreeMap<>();
    desired
        .tables()
        .forEach(
            (id, tables) ->
                tables
                    .flows()
                    .forEach(
                        (key, rule) -> {
                          SelectGroup group = tables.groups().get(rule.groupId());
                          boolean grouped = rule.action() == FlowRule.Action.ROUTE_TO_GROUP;
                          String share =
                              grouped ? group.toString().split(": ", 2)[1] : rule.toString();
                          shares.put(id + " " + key, share);
                        }));
    return shares;
  }
}
