package org.evenweave.engine.forwarding;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.paths.PathCalculator;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

/** That the planner's own plans pass is shown by EngineTest, whose engine would not converge. */
class PlanVerifierTest {
  private static final Ipv4Prefix PREFIX = Ipv4Prefix.parse("10.0.0.0/24");
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
        switchId -> false);
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

  @Test
  void aRuleThatGoesWhileItIsUsedIsRefused() {
    Map<String, SwitchTables> installed = DESIRED.tables();
    SwitchOperation away =
        SwitchOperation.deleteFlow(installed.get("b").flows().get(PREFIX.toString()));
    String message = refusal(List.of(Map.of("b", List.of(away))), installed);
    assertTrue(message.contains("black-hole at b to 10.0.0.0/24: no rule"), message);
  }

  @Test
  void aLoopThatIsThereAlreadyMayBeMended() {
    SwitchOperation back = SwitchOperation.putFlow(FlowRule.routeToPort(PREFIX, 1));
    SwitchTables turned = SwitchTables.EMPTY.after(List.of(back));
    Map<String, SwitchTables> installed = Map.of("a", turned, "b", turned);
    PlanVerifier.requireSafe(UpdatePlan.between(installed, DESIRED).rounds(), installed, DESIRED);
  }

  /** The shortcut may be cautious, but never says "no worse" of what is. */
  @Property(tries = 500)
  void followingOnlyWhatChangesMissesNothing(
      @ForAll @IntRange(min = 2, max = 7) int switches,
      @ForAll @IntRange(min = 1, max = 14) int links,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = Fabrics.random(random, switches, links);
    DesiredState desired = desired(fabric);
    int subnet = random.nextInt(fabric.subnetCount());
    SwitchTables[] before = new SwitchTables[switches];
    SwitchTables[] after = new SwitchTables[switches];
    Set<Integer> changed = new HashSet<>();
    for (int s = 0; s < switches; s++) {
      SwitchTables good = desired.tables().get(fabric.switchId(s));
      before[s] = random.nextInt(4) == 0 ? anyTables(fabric, s, subnet, random) : good;
      after[s] = random.nextInt(3) == 0 ? anyTables(fabric, s, subnet, random) : before[s];
      if (before[s] != after[s]) {
        changed.add(s);
      }
    }
    Set<String> old = new PacketWalk(desired.routing(), subnet, before, before).problems();
    Set<String> now = new PacketWalk(desired.routing(), subnet, before, after).problems();
    if (new PacketWalk(desired.routing(), subnet, before, after).isNoWorseAfter(changed)) {
      assertTrue(old.containsAll(now), old + " became " + now);
    }
  }

  private static SwitchTables anyTables(Fabric fabric, int s, int subnet, SplittableRandom random) {
    int[] ports = new int[1 + random.nextInt(3)];
    if (random.nextInt(4) == 0 || fabric.outDegree(s) == 0) {
      return SwitchTables.EMPTY;
    }
    Arrays.setAll(ports, i -> fabric.port(fabric.outArc(s, random.nextInt(fabric.outDegree(s)))));
    return SwitchTables.EMPTY.after(
        List.of(
            SwitchOperation.addGroup(SelectGroup.ofSlots(1, ports)),
            SwitchOperation.putFlow(FlowRule.routeToGroup(fabric.subnetPrefix(subnet), 1))));
  }
}
