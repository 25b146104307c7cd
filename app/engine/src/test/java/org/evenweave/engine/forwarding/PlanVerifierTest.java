package org.evenweave.engine.forwarding;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.paths.PathCalculator;
import org.evenweave.engine.port.FlowRule;
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

/** That the planner's own plans pass is shown by EngineTest, whose engine would not converge. */
class PlanVerifierTest {
  private static final Ipv4Prefix PREFIX = Ipv4Prefix.parse("10.0.0.0/24");

  /** The id of a group that no compiled table has. */
  private static final int GROUP = 1000;

  private static final Ipv4Prefix HOSTS_OF_A = Ipv4Prefix.parse("10.0.1.0/24");

  /** A chain a - b - c; hosts under a and c. */
  private static final Fabric CHAIN =
      new FabricBuilder()
          .addSwitch("a", 1, Fabric.UNLIMITED)
          .addSwitch("b", 1, Fabric.UNLIMITED)
          .addSwitch("c", 1, Fabric.UNLIMITED)
          .addLink("a/1", "b/1", 10)
          .addLink("b/2", "c/1", 10)
          .addSubnet("a", HOSTS_OF_A)
          .addSubnet("c", PREFIX)
          .build();

  private static final DesiredState DESIRED = desired(CHAIN);

  private static DesiredState desired(Fabric fabric) {
    return TableCompiler.compile(
        PathCalculator.routes(new Snapshot(1, fabric, List.of()), WeightRule.EFFECTIVE_CAPACITY),
        Map.of(),
        SwitchTraits.UNKNOWN);
  }

  private static String refusal(
      List<Map<String, List<SwitchOperation>>> rounds, Map<String, SwitchTables> installed) {
    return assertThrows(
            UnsafePlanException.class, () -> PlanVerifier.requireSafe(rounds, installed, DESIRED))
        .getMessage();
  }

  @Test
  void aPlanInTheWrongOrderIsRefused() {
    List<Map<String, List<SwitchOperation>>> rounds =
        new ArrayList<>(UpdatePlan.between(Map.of(), DESIRED).rounds());
    PlanVerifier.requireSafe(rounds, Map.of(), DESIRED);
    Collections.reverse(rounds);
    String message = refusal(rounds, Map.of());
    assertTrue(message.contains("black-hole at b to 10.0.1.0/24: no rule"), message);
  }

  @Test
  void aRoundThatIsSafeInOneOrderOnlyIsRefused() {
    DesiredState desired =
        desired(
            new FabricBuilder()
                .addSwitch("a", 1, Fabric.UNLIMITED)
                .addSwitch("b", 2, Fabric.UNLIMITED)
                .addSwitch("c", 1, Fabric.UNLIMITED)
                .addLink("a/1", "b/1", 10)
                .addLink("b/2", "c/1", 10)
                .addLink("a/2", "c/2", 10)
                .addSubnet("a", HOSTS_OF_A)
                .addSubnet("c", PREFIX)
                .build());
    SwitchOperation overB = SwitchOperation.putFlow(FlowRule.routeToPort(PREFIX, 1));
    SwitchOperation direct = SwitchOperation.putFlow(FlowRule.routeToPort(PREFIX, 2));
    Map<String, SwitchTables> installed =
        Map.of(
            "a", SwitchTables.EMPTY.after(List.of(overB)),
            "b", SwitchTables.EMPTY.after(List.of(direct)));
    SwitchOperation back = SwitchOperation.putFlow(FlowRule.routeToPort(PREFIX, 1));
    Map<String, List<SwitchOperation>> first = Map.of("a", List.of(direct));
    Map<String, List<SwitchOperation>> second = Map.of("b", List.of(back));
    PlanVerifier.requireSafe(List.of(first, second), installed, desired);
    // Both at once: fine if a goes direct before b turns back towards it, a loop if b is first.
    Map<String, List<SwitchOperation>> both = Map.of("a", List.of(direct), "b", List.of(back));
    String message =
        assertThrows(
                UnsafePlanException.class,
                () -> PlanVerifier.requireSafe(List.of(both), installed, desired))
            .getMessage();
    assertTrue(message.contains("round 0: loop at a to 10.0.0.0/24"), message);
  }

  /** If b refuses the change of the group, its rule sends packets back to a. */
  @Test
  void aRuleThatMovesToAGroupInTheRoundInWhichItChangesIsRefused() {
    SelectGroup back = SelectGroup.ofSlots(1, new int[] {1});
    SwitchOperation moved = SwitchOperation.putFlow(FlowRule.routeToGroup(PREFIX, 1));
    SwitchOperation changed = SwitchOperation.modifyGroup(SelectGroup.ofSlots(1, new int[] {2}));
    Map<String, SwitchTables> installed = new HashMap<>(DESIRED.tables());
    installed.computeIfPresent("b", (id, b) -> b.after(List.of(SwitchOperation.addGroup(back))));
    Map<String, List<SwitchOperation>> first = Map.of("b", List.of(changed));
    PlanVerifier.requireSafe(List.of(first, Map.of("b", List.of(moved))), installed, DESIRED);
    String message = refusal(List.of(Map.of("b", List.of(changed, moved))), installed);
    assertTrue(message.contains("round 0: loop at a to 10.0.0.0/24"), message);
  }

  @Test
  void aGroupThatTurnsBackIsRefusedThoughNoRuleChanges() {
    SwitchOperation group = SwitchOperation.addGroup(SelectGroup.ofSlots(1, new int[] {2}));
    SwitchOperation rule = SwitchOperation.putFlow(FlowRule.routeToGroup(PREFIX, 1));
    SwitchOperation back = SwitchOperation.modifyGroup(SelectGroup.ofSlots(1, new int[] {1}));
    Map<String, SwitchTables> installed = new HashMap<>(DESIRED.tables());
    installed.computeIfPresent("b", (id, b) -> b.after(List.of(group, rule)));
    SwitchOperation wider = SwitchOperation.modifyGroup(SelectGroup.ofSlots(1, new int[] {2, 2}));
    String message =
        refusal(List.of(Map.of("b", List.of(wider)), Map.of("b", List.of(back))), installed);
    assertTrue(message.contains("round 1: loop at a to 10.0.0.0/24"), message);
  }

  @Test
  void aRuleThatGoesWhileItIsUsedIsRefused() {
    Map<String, SwitchTables> installed = DESIRED.tables();
    SwitchOperation away =
        SwitchOperation.deleteFlow(installed.get("b").flows().get(PREFIX.toString()));
    String message = refusal(List.of(Map.of("b", List.of(away))), installed);
    assertTrue(message.contains("black-hole at b to 10.0.0.0/24: no rule"), message);
  }

  /** Nobody sent to c before, whose link to d has failed; d's rule for its own prefix is idle. */
  @Test
  void packetsMayNotBeLedToWhereTheyWouldBeLost() {
    Fabric fabric =
        new FabricBuilder()
            .addSwitch("a", 1, Fabric.UNLIMITED)
            .addSwitch("b", 2, Fabric.UNLIMITED)
            .addSwitch("c", 2, Fabric.UNLIMITED)
            .addSwitch("d", 1, Fabric.UNLIMITED)
            .addLink("a/1", "b/1", 10)
            .addLink("b/2", "d/1", 10)
            .addLink("a/2", "c/1", 10)
            .addLink("c/2", "d/2", 10)
            .addLink("c/3", "d/3", 10)
            .addSubnet("a", HOSTS_OF_A)
            .addSubnet("d", PREFIX)
            .build()
            .withLinksDown(3);
    SelectGroup both = SelectGroup.ofSlots(GROUP, new int[] {2, 3});
    Map<String, SwitchTables> installed = new HashMap<>(desired(fabric).tables());
    installed.computeIfPresent("a", (id, a) -> a.after(toPort(1)));
    installed.computeIfPresent("d", (id, d) -> d.after(toPort(3)));
    installed.computeIfPresent(
        "c",
        (id, c) ->
            c.after(
                List.of(
                    SwitchOperation.addGroup(both),
                    SwitchOperation.putFlow(FlowRule.routeToGroup(PREFIX, GROUP)))));
    Map<String, List<SwitchOperation>> round = Map.of("a", toPort(2));
    String message =
        assertThrows(
                UnsafePlanException.class,
                () -> PlanVerifier.requireSafe(List.of(round), installed, desired(fabric)))
            .getMessage();
    assertTrue(message.contains("black-hole at c to 10.0.0.0/24: port 2 has no link"), message);
  }

  /** What a sent to b comes back from there now, after a was looked at for what it gains. */
  @Test
  void aSwitchThatGainsNextHopsKeepsTheOthersInTheSearch() {
    Fabric fabric =
        new FabricBuilder()
            .addSwitch("a", 1, Fabric.UNLIMITED)
            .addSwitch("b", 1, Fabric.UNLIMITED)
            .addSwitch("c", 1, Fabric.UNLIMITED)
            .addLink("a/1", "b/1", 10)
            .addLink("b/2", "c/1", 10)
            .addLink("a/2", "c/2", 10)
            .addSubnet("a", HOSTS_OF_A)
            .addSubnet("c", PREFIX)
            .build();
    SelectGroup both = SelectGroup.ofSlots(GROUP, new int[] {1, 2});
    Map<String, SwitchTables> installed = new HashMap<>(desired(fabric).tables());
    installed.computeIfPresent(
        "a", (id, a) -> a.after(toPort(1)).after(List.of(SwitchOperation.addGroup(both))));
    Map<String, List<SwitchOperation>> round = new LinkedHashMap<>();
    round.put("a", List.of(SwitchOperation.putFlow(FlowRule.routeToGroup(PREFIX, GROUP))));
    round.put("b", toPort(1));
    assertThrows(
        UnsafePlanException.class,
        () -> PlanVerifier.requireSafe(List.of(round), installed, desired(fabric)));
  }

  private static List<SwitchOperation> toPort(int port) {
    return List.of(SwitchOperation.putFlow(FlowRule.routeToPort(PREFIX, port)));
  }

  @Test
  void aLoopThatIsThereAlreadyMayBeMended() {
    SwitchOperation back = SwitchOperation.putFlow(FlowRule.routeToPort(PREFIX, 1));
    SwitchTables turned = SwitchTables.EMPTY.after(List.of(back));
    Map<String, SwitchTables> installed = Map.of("a", turned, "b", turned);
    PlanVerifier.requireSafe(UpdatePlan.between(installed, DESIRED).rounds(), installed, DESIRED);
  }

  /**
   * The shortcut never says "no worse" of what is. Where packets may come from every switch and
   * could not loop before, it is not cautious either.
   */
  @Property(tries = 500)
  void followingOnlyWhatChangesFindsWhatFollowingAllDoes(
      @ForAll @IntRange(min = 2, max = 7) int switches,
      @ForAll @IntRange(min = 1, max = 14) int links,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric wired =
        random.nextBoolean()
            ? Fabrics.random(random, switches, links)
            : Fabrics.staged(random, 2 + random.nextInt(2));
    DesiredState old = desired(wired);
    DesiredState desired = desired(withSomeLinksDown(wired, random));
    int count = wired.switchCount();
    SwitchTables[] first = new SwitchTables[count];
    SwitchTables[] before = new SwitchTables[count];
    for (int s = 0; s < count; s++) {
      first[s] = random.nextInt(4) == 0 ? anyTables(wired, s, random) : old.tablesAt(s);
      before[s] = random.nextInt(3) == 0 ? desired.tablesAt(s) : first[s];
    }
    if (IntStream.range(0, wired.subnetCount())
        .anyMatch(
            i ->
                !problems(desired, i, first, first)
                    .containsAll(problems(desired, i, before, before)))) {
      System.arraycopy(first, 0, before, 0, count);
    }
    SwitchTables[] after = before.clone();
    PacketWalk walk = new PacketWalk(desired.routing(), desired.prefixes(), first, before, after);
    boolean isSafe = true;
    for (int round = 0; round < 2 && isSafe; round++) {
      System.arraycopy(after, 0, before, 0, count);
      List<Integer> changed = new ArrayList<>();
      for (int s = 0; s < count; s++) {
        SwitchTables other =
            random.nextBoolean() ? anyTables(wired, s, random) : desired.tablesAt(s);
        after[s] = random.nextInt(3) == 0 ? other : before[s];
        if (before[s] != after[s]) {
          changed.add(s);
        }
      }
      int[] whoChanged = changed.stream().mapToInt(s -> s).toArray();
      for (int subnet = 0; subnet < wired.subnetCount(); subnet++) {
        Set<String> atFirst = problems(desired, subnet, first, first);
        Set<String> now = problems(desired, subnet, before, after);
        boolean isExact =
            wired.subnetCount() == count && atFirst.stream().noneMatch(p -> p.startsWith("loop"));
        if (walk.isNoWorseAfter(subnet, whoChanged)) {
          assertTrue(atFirst.containsAll(now), atFirst + " became " + now);
        } else if (isExact) {
          assertFalse(atFirst.containsAll(now), atFirst + " became " + now);
        }
        isSafe &= atFirst.containsAll(now);
      }
    }
  }

  private static Set<String> problems(
      DesiredState desired, int subnet, SwitchTables[] before, SwitchTables[] after) {
    return new PacketProblems(desired.routing(), subnet, before, after).find();
  }

  private static Fabric withSomeLinksDown(Fabric fabric, SplittableRandom random) {
    int[] down =
        IntStream.range(0, fabric.linkCount()).filter(link -> random.nextInt(4) == 0).toArray();
    return down.length == 0 ? fabric : fabric.withLinksDown(down);
  }

  /** Every switch may carry out any of its operations and refuse the others. */
  @Property(tries = 500)
  void aRoundThatPassesIsSafeWhateverIsRefused(
      @ForAll @IntRange(min = 2, max = 6) int switches,
      @ForAll @IntRange(min = 1, max = 10) int links,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = Fabrics.random(random, switches, links);
    DesiredState desired = desired(fabric);
    int subnet = random.nextInt(fabric.subnetCount());
    Map<String, SwitchTables> installed = new HashMap<>(desired.tables());
    Map<String, List<SwitchOperation>> round = new HashMap<>();
    for (int s = 0; s < switches; s++) {
      if (fabric.outDegree(s) > 0 && random.nextInt(3) == 0) {
        FlowRule toGroup = FlowRule.routeToGroup(fabric.subnetPrefix(subnet), GROUP);
        List<SwitchOperation> earlier = new ArrayList<>();
        earlier.add(SwitchOperation.addGroup(anyGroup(fabric, s, random)));
        if (random.nextBoolean()) {
          earlier.add(SwitchOperation.putFlow(toGroup));
        }
        installed.computeIfPresent(fabric.switchId(s), (id, tables) -> tables.after(earlier));
        round.put(fabric.switchId(s), anyOperations(toGroup, anyGroup(fabric, s, random), random));
      }
    }
    try {
      PlanVerifier.requireSafe(List.of(round), installed, desired);
    } catch (UnsafePlanException e) {
      return;
    }
    Set<String> old = problems(fabric, installed, desired, subnet);
    for (int sample = 0; sample < 20; sample++) {
      Map<String, SwitchTables> now = new HashMap<>(installed);
      round.forEach((id, list) -> now.computeIfPresent(id, (key, t) -> someOf(list, t, random)));
      Set<String> found = problems(fabric, now, desired, subnet);
      assertTrue(old.containsAll(found), old + " became " + found);
    }
  }

  /** A rule is put, after its group changes or before another is deleted. */
  private static List<SwitchOperation> anyOperations(
      FlowRule toGroup, SelectGroup group, SplittableRandom random) {
    FlowRule toPort = FlowRule.routeToPort(toGroup.prefix(), group.memberPorts()[0]);
    List<SwitchOperation> list = new ArrayList<>();
    int kind = random.nextInt(4);
    if (kind < 2) {
      list.add(SwitchOperation.modifyGroup(group));
    }
    list.add(SwitchOperation.putFlow(kind % 2 == 0 ? toGroup : toPort));
    if (kind == 3) {
      list.add(SwitchOperation.deleteGroup(group));
    }
    return list;
  }

  private static SwitchTables someOf(
      List<SwitchOperation> list, SwitchTables tables, SplittableRandom random) {
    return tables.after(
        list.stream().filter(operation -> random.nextBoolean()).collect(Collectors.toList()));
  }

  private static Set<String> problems(
      Fabric fabric, Map<String, SwitchTables> tables, DesiredState desired, int subnet) {
    SwitchTables[] array = new SwitchTables[fabric.switchCount()];
    Arrays.setAll(array, s -> tables.get(fabric.switchId(s)));
    return new PacketProblems(desired.routing(), subnet, array, array).find();
  }

  /** To each prefix no rule, or one to a port or to a group of two. */
  private static SwitchTables anyTables(Fabric fabric, int s, SplittableRandom random) {
    if (random.nextInt(4) == 0 || fabric.outDegree(s) == 0) {
      return SwitchTables.EMPTY;
    }
    List<SwitchOperation> operations = new ArrayList<>();
    operations.add(SwitchOperation.addGroup(anyGroup(fabric, s, random)));
    operations.add(SwitchOperation.addGroup(anyGroup(fabric, s, random).withId(1)));
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      Ipv4Prefix prefix = fabric.subnetPrefix(subnet);
      int kind = random.nextInt(8);
      if (kind > 0) {
        FlowRule rule =
            kind < 3
                ? FlowRule.routeToPort(prefix, anyGroup(fabric, s, random).memberPort(0))
                : FlowRule.routeToGroup(prefix, kind < 6 ? GROUP : 1);
        operations.add(SwitchOperation.putFlow(rule));
      }
    }
    return SwitchTables.EMPTY.after(operations);
  }

  /** A group of one to three slots, of a switch that has links. */
  private static SelectGroup anyGroup(Fabric fabric, int s, SplittableRandom random) {
    int[] ports = new int[1 + random.nextInt(3)];
    Arrays.setAll(ports, i -> fabric.port(fabric.outArc(s, random.nextInt(fabric.outDegree(s)))));
    return SelectGroup.ofSlots(GROUP, ports);
  }
}
