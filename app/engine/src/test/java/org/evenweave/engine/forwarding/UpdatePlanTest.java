package org.evenweave.engine.forwarding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.paths.PathCalculator;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.GuardRules;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.port.SwitchTraits;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

class UpdatePlanTest {
  private static final Ipv4Prefix HOSTS_OF_A = Ipv4Prefix.parse("10.0.1.0/24");
  private static final Ipv4Prefix HOSTS_OF_D = Ipv4Prefix.parse("10.0.4.0/24");

  /** a - b - d and a - c - d, with two links from b to d; hosts under d. */
  private static final Fabric WIDE =
      new FabricBuilder()
          .addSwitch("a", 1, Fabric.UNLIMITED)
          .addSwitch("b", 1, Fabric.UNLIMITED)
          .addSwitch("c", 1, Fabric.UNLIMITED)
          .addSwitch("d", 1, Fabric.UNLIMITED)
          .addLink("a/1", "b/1", 20)
          .addLink("a/2", "c/1", 10)
          .addLink("b/2", "d/1", 10)
          .addLink("c/2", "d/2", 10)
          .addLink("b/3", "d/3", 10)
          .addSubnet("d", HOSTS_OF_D)
          .build();

  private static final Fabric DIAMOND = WIDE.withLinksDown(4);

  private static DesiredState desired(Fabric fabric, Map<String, SwitchTables> installed) {
    return TableCompiler.compile(
        PathCalculator.routes(new Snapshot(1, fabric, List.of()), WeightRule.EFFECTIVE_CAPACITY),
        installed,
        SwitchTraits.UNKNOWN);
  }

  private static List<String> rounds(UpdatePlan plan) {
    return plan.rounds().stream().map(Object::toString).collect(Collectors.toList());
  }

  private static UpdatePlan plan(Map<String, SwitchTables> installed, Fabric fabric) {
    return UpdatePlan.between(installed, desired(fabric, installed));
  }

  /** A port may be an end of a link until the plan is in force, or from its first round on. */
  @Test
  void whatRefusesSourcesComesLastAndGoesFirst() {
    FlowRule refuses = GuardRules.refuseSource(9, Ipv4Prefix.of(0, 0));
    Map<String, SwitchTables> bare =
        Map.of(
            "a",
            SwitchTables.EMPTY.after(
                List.of(SwitchOperation.putFlow(FlowRule.routeToPort(HOSTS_OF_D, 1)))));
    Map<String, SwitchTables> guarded =
        Map.of(
            "a",
            bare.get("a")
                .after(
                    List.of(
                        SwitchOperation.putFlow(refuses),
                        SwitchOperation.putFlow(GuardRules.admitSource(HOSTS_OF_A)))));
    assertEquals(
        List.of(
            "{a=[PUT_FLOW any port admits 10.0.1.0/24 -> LOOK_UP_AGAIN]}",
            "{a=[PUT_FLOW port 9 refuses 0.0.0.0/0 -> DROP]}"),
        rounds(UpdatePlan.inOneRound(bare, guarded)));
    assertEquals(
        List.of(
            "{a=[DELETE_FLOW port 9 refuses 0.0.0.0/0 -> DROP]}",
            "{a=[DELETE_FLOW any port admits 10.0.1.0/24 -> LOOK_UP_AGAIN]}"),
        rounds(UpdatePlan.inOneRound(guarded, bare)));
  }

  /** Of a table that is full, with groups of equal ports before and after. */
  @Test
  void whatTakesFewerEntriesComesFirstAndWhatTakesMoreLast() {
    DesiredState after = desired(DIAMOND, Map.of());
    SwitchTables atA = after.tables("a");
    SwitchTables.Editor editor = new SwitchTables.Editor(atA);
    editor.put(new SelectGroup(1, new int[] {1, 2}, new int[] {300, 300}));
    editor.put(new SelectGroup(7, new int[] {1, 2}, new int[] {1, 1}));
    Map<String, SwitchTables> installed = new HashMap<>(after.tables());
    installed.put("a", editor.done());
    assertEquals(
        List.of(
            "{a=[MODIFY_GROUP group 0x1: port 1 has 128, port 2 has 128 of 256]}",
            "{a=[DELETE_GROUP group 0x7: port 1 has 1, port 2 has 1 of 2]}"),
        rounds(UpdatePlan.between(installed, after)));

    SwitchTables.Editor smaller = new SwitchTables.Editor(editor.done());
    smaller.put(new SelectGroup(1, new int[] {1, 2}, new int[] {2, 1}));
    installed.put("a", smaller.done());
    assertEquals(
        List.of(
            "{a=[DELETE_GROUP group 0x7: port 1 has 1, port 2 has 1 of 2,"
                + " MODIFY_GROUP group 0x1: port 1 has 128, port 2 has 128 of 256]}"),
        rounds(UpdatePlan.between(installed, after)));
  }

  @Test
  void rulesGoInTheRoundOfTheirDistanceAfterTheGroupsThatTheyUse() {
    UpdatePlan plan = plan(Map.of(), DIAMOND);
    assertEquals(
        List.of(
            "{a=[ADD_GROUP group 0x1: port 1 has 128, port 2 has 128 of 256],"
                + " d=[PUT_FLOW 10.0.4.0/24 -> TO_CONTROLLER, PUT_FLOW any from 0.0.0.0/8 -> DROP,"
                + " PUT_FLOW any from 127.0.0.0/8 -> DROP, PUT_FLOW any from 224.0.0.0/3 -> DROP,"
                + " PUT_FLOW arp -> TO_CONTROLLER, PUT_FLOW multicast source -> DROP,"
                + " PUT_FLOW rarp -> TO_CONTROLLER, PUT_FLOW vlan tag -> DROP]}",
            "{b=[PUT_FLOW 10.0.4.0/24 -> ROUTE_TO_PORT 2],"
                + " c=[PUT_FLOW 10.0.4.0/24 -> ROUTE_TO_PORT 2]}",
            "{a=[PUT_FLOW 10.0.4.0/24 -> ROUTE_TO_GROUP 0x1]}"),
        rounds(plan));
    assertEquals(1, plan.groupChanges());
    assertEquals(11, plan.flowChanges());
  }

  @Test
  void aGroupThatNoRuleUsesAnyMoreGoesLast() {
    Map<String, SwitchTables> installed = desired(DIAMOND, Map.of()).tables();
    assertEquals(
        List.of(
            "{a=[PUT_FLOW 10.0.4.0/24 -> ROUTE_TO_PORT 1]}",
            "{a=[DELETE_GROUP group 0x1: port 1 has 128, port 2 has 128 of 256]}"),
        rounds(plan(installed, WIDE.withLinksDown(1, 4))));
  }

  @Test
  void aGroupChangesInTheRoundOfItsDestination() {
    Map<String, SwitchTables> installed = desired(DIAMOND, Map.of()).tables();
    assertEquals(
        List.of(
            "{b=[ADD_GROUP group 0x1: port 2 has 128, port 3 has 128 of 256]}",
            "{b=[PUT_FLOW 10.0.4.0/24 -> ROUTE_TO_GROUP 0x1]}",
            "{a=[MODIFY_GROUP group 0x1: port 1 has 171, port 2 has 85 of 256]}"),
        rounds(plan(installed, WIDE)));
  }

  @Test
  void whereNoSwitchGainsNextHopsNoneWaitsForAnother() {
    Map<String, SwitchTables> installed = desired(WIDE, Map.of()).tables();
    assertEquals(
        List.of(
            "{a=[MODIFY_GROUP group 0x1: port 1 has 128, port 2 has 128 of 256]}",
            "{b=[PUT_FLOW 10.0.4.0/24 -> ROUTE_TO_PORT 2]}",
            "{b=[DELETE_GROUP group 0x1: port 2 has 128, port 3 has 128 of 256]}"),
        rounds(plan(installed, DIAMOND)));
  }

  /** Towards d, e is three links away and f two; f gains a next hop. */
  @Test
  void whatOnlyGivesUpNextHopsDoesSoAtOnceWhateverOthersGain() {
    Fabric fabric =
        new FabricBuilder()
            .addSwitch("d", 1, Fabric.UNLIMITED)
            .addSwitch("e", 1, Fabric.UNLIMITED)
            .addSwitch("f", 1, Fabric.UNLIMITED)
            .addSwitch("g", 1, Fabric.UNLIMITED)
            .addSwitch("h", 1, Fabric.UNLIMITED)
            .addLink("e/1", "f/1", 10)
            .addLink("e/2", "f/2", 10)
            .addLink("f/3", "g/1", 10)
            .addLink("f/4", "h/1", 10)
            .addLink("g/2", "d/1", 10)
            .addLink("h/2", "d/2", 10)
            .addSubnet("d", HOSTS_OF_D)
            .build();
    Map<String, SwitchTables> installed = desired(fabric.withLinksDown(3), Map.of()).tables();
    List<Map<String, List<SwitchOperation>>> rounds =
        plan(installed, fabric.withLinksDown(1)).rounds();
    assertEquals(
        List.of("PUT_FLOW 10.0.4.0/24 -> ROUTE_TO_PORT 1"), strings(rounds.get(1).get("e")));
    assertEquals(
        List.of("PUT_FLOW 10.0.4.0/24 -> ROUTE_TO_GROUP 0x1"), strings(rounds.get(2).get("f")));
  }

  @Test
  void rulesToAPrefixThatHasLeftTheFabricGoFirstAndOtherUnusedOnesAfterAllChanges() {
    FlowRule left = FlowRule.routeToPort(HOSTS_OF_A, 1);
    FlowRule host = FlowRule.deliver(Ipv4Prefix.parseAddress("10.0.4.7"), 9, 1, 2);
    SwitchTables both =
        SwitchTables.EMPTY.after(
            List.of(SwitchOperation.putFlow(left), SwitchOperation.putFlow(host)));
    UpdatePlan plan = plan(Map.of("c", both), DIAMOND);
    assertEquals(
        List.of(SwitchOperation.deleteFlow(left).toString()),
        strings(plan.rounds().get(0).get("c")));
    assertEquals(
        "{c=[" + SwitchOperation.deleteFlow(host) + "]}",
        plan.rounds().get(plan.roundCount() - 1).toString());
  }

  private static List<String> strings(List<SwitchOperation> operations) {
    return operations.stream().map(Object::toString).collect(Collectors.toList());
  }

  @Test
  void nothingIsPlannedWhereNothingDiffers() {
    Map<String, SwitchTables> installed = desired(DIAMOND, Map.of()).tables();
    UpdatePlan plan = plan(installed, DIAMOND);
    assertEquals(List.of(), plan.rounds());
    assertEquals(0, plan.groupChanges() + plan.flowChanges());
  }

  @Test
  void withoutAnOrderBetweenSwitchesChangesTakeOneRoundAndDeletionsTwoMore() {
    SelectGroup old = SelectGroup.ofSlots(1, new int[] {1, 2});
    SelectGroup other = SelectGroup.ofSlots(7, new int[] {2, 3});
    SwitchTables before = tables(old, FlowRule.routeToGroup(HOSTS_OF_D, 1));
    SwitchTables withArp =
        before.after(List.of(SwitchOperation.putFlow(FlowRule.arpToController())));
    SwitchTables pruned =
        before.after(
            List.of(SwitchOperation.modifyGroup(SelectGroup.ofSlots(1, new int[] {2, 2}))));
    UpdatePlan plan =
        UpdatePlan.inOneRound(
            Map.of("a", before, "b", withArp),
            Map.of("a", pruned, "b", tables(other, FlowRule.routeToGroup(HOSTS_OF_D, 7))));
    assertEquals(
        List.of(
            "{a=[MODIFY_GROUP group 0x1: port 2 has 2 of 2],"
                + " b=[ADD_GROUP group 0x7: port 2 has 1, port 3 has 1 of 2,"
                + " PUT_FLOW 10.0.4.0/24 -> ROUTE_TO_GROUP 0x7]}",
            "{b=[DELETE_FLOW arp -> TO_CONTROLLER]}",
            "{b=[DELETE_GROUP group 0x1: port 1 has 1, port 2 has 1 of 2]}"),
        rounds(plan));
  }

  /** As adoption may leave one, where somebody has changed a group whose rules are gone. */
  @Test
  void aGroupThatNoRuleUsesMayChangeAllItsPorts() {
    SwitchTables before =
        SwitchTables.EMPTY.after(
            List.of(SwitchOperation.addGroup(SelectGroup.ofSlots(1, new int[] {1, 2}))));
    SwitchTables after =
        SwitchTables.EMPTY.after(
            List.of(SwitchOperation.addGroup(SelectGroup.ofSlots(1, new int[] {2, 3}))));
    assertEquals(
        List.of("{a=[MODIFY_GROUP group 0x1: port 2 has 1, port 3 has 1 of 2]}"),
        rounds(UpdatePlan.inOneRound(Map.of("a", before), Map.of("a", after))));
  }

  private static SwitchTables tables(SelectGroup group, FlowRule rule) {
    return SwitchTables.EMPTY.after(
        List.of(SwitchOperation.addGroup(group), SwitchOperation.putFlow(rule)));
  }

  /**
   * Against packets sent after every single operation: whoever reached a prefix before, and can
   * reach it over the new routes, never stops reaching it. Switches of a round act in any order,
   * and a plan may end in the middle of a round, where the next one begins.
   */
  @Property(tries = 400)
  void packetsArriveAfterEveryOperation(
      @ForAll @IntRange(min = 3, max = 6) int switches,
      @ForAll @IntRange(min = 3, max = 12) int links,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = Fabrics.random(random, switches, links);
    Map<String, SwitchTables> tables = new HashMap<>(desired(fabric, Map.of()).tables());
    Set<String> arriving = arriving(fabric, tables);
    for (int step = 0; step < 3; step++) {
      int[] unused = IntStream.range(0, links).filter(link -> random.nextInt(3) == 0).toArray();
      DesiredState desired = desired(fabric.withLinksDown(unused), tables);
      UpdatePlan plan = UpdatePlan.between(tables, desired);
      arriving.retainAll(arriving(fabric, desired.tables()));
      assertTrue(plan.roundCount() <= switches - 1 + 3, "at most the diameter and three");
      List<Map.Entry<String, SwitchOperation>> all = inAnyOrder(plan, random);
      int end = step < 2 && random.nextBoolean() ? random.nextInt(all.size() + 1) : all.size();
      for (Map.Entry<String, SwitchOperation> next : all.subList(0, end)) {
        tables.computeIfPresent(next.getKey(), (id, now) -> now.after(List.of(next.getValue())));
        assertTrue(arriving(fabric, tables).containsAll(arriving), () -> next + " lost packets");
      }
      if (end == all.size()) {
        assertEquals(desired.tables(), tables);
      }
    }
  }

  /** The operations by switch id, round by round; a round's switches take turns as they like. */
  private static List<Map.Entry<String, SwitchOperation>> inAnyOrder(
      UpdatePlan plan, SplittableRandom random) {
    List<Map.Entry<String, SwitchOperation>> all = new ArrayList<>();
    for (Map<String, List<SwitchOperation>> round : plan.rounds()) {
      Map<String, Iterator<SwitchOperation>> waiting = new TreeMap<>();
      round.forEach((id, list) -> waiting.put(id, list.iterator()));
      while (!waiting.isEmpty()) {
        List<String> ids = List.copyOf(waiting.keySet());
        String id = ids.get(random.nextInt(ids.size()));
        all.add(Map.entry(id, waiting.get(id).next()));
        waiting.values().removeIf(list -> !list.hasNext());
      }
    }
    return all;
  }

  /**
   * Which switches reach which prefixes, whatever next hops their packets take: {@code s1 > s0}.
   */
  private static Set<String> arriving(Fabric fabric, Map<String, SwitchTables> tables) {
    Set<String> pairs = new HashSet<>();
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      for (int s = 0; s < fabric.switchCount(); s++) {
        if (arrives(fabric, tables, subnet, s, new HashSet<>())) {
          pairs.add(fabric.switchId(s) + " > " + fabric.switchId(fabric.subnetSwitch(subnet)));
        }
      }
    }
    return pairs;
  }

  private static boolean arrives(
      Fabric fabric, Map<String, SwitchTables> tables, int subnet, int s, Set<Integer> path) {
    if (s == fabric.subnetSwitch(subnet)) {
      return true;
    }
    int[] ports = tables.get(fabric.switchId(s)).outPorts(fabric.subnetPrefix(subnet));
    if (ports.length == 0 || !path.add(s)) {
      return false;
    }
    for (int port : ports) {
      if (!arrives(fabric, tables, subnet, neighbour(fabric, s, port), path)) {
        return false;
      }
    }
    path.remove(s);
    return true;
  }

  private static int neighbour(Fabric fabric, int s, int port) {
    return IntStream.range(0, fabric.outDegree(s))
        .map(i -> fabric.outArc(s, i))
        .filter(arc -> fabric.port(arc) == port)
        .map(fabric::to)
        .findFirst()
        .orElseThrow();
  }
}
