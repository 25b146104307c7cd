package org.evenweave.wcmp.verification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.verification.Violation.Kind;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

class VerifierTest {
  private static final Ipv4Prefix TO_S12 = Ipv4Prefix.parse("10.0.2.0/24");

  /** The state that has exactly the ideal weights of a rule, but for one prefix left out. */
  private static ForwardingState.Builder ideal(Fabric fabric, WeightRule rule, Ipv4Prefix except) {
    ForwardingState.Builder builder = new ForwardingState.Builder(fabric);
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      Ipv4Prefix prefix = fabric.subnetPrefix(subnet);
      DestinationRoutes routes = rule.routes(fabric, fabric.subnetSwitch(subnet));
      for (int s = 0; s < fabric.switchCount(); s++) {
        if (routes.memberCount(s) > 0 && !prefix.equals(except)) {
          int[] weights = Arrays.stream(routes.weights(s)).mapToInt(Math::toIntExact).toArray();
          int group = weights.length > 1 ? subnet + 1 : 0;
          builder.add(s, new MultipathRule(prefix, group, routes.ports(fabric, s), weights));
        }
      }
    }
    return builder;
  }

  private static ForwardingState ideal(Fabric fabric, WeightRule rule) {
    return ideal(fabric, rule, null).build();
  }

  private static MultipathRule out(Ipv4Prefix prefix, int... ports) {
    int[] ones = new int[ports.length];
    Arrays.fill(ones, 1);
    return new MultipathRule(prefix, ports.length > 1 ? 9 : 0, ports, ones);
  }

  private static List<String> kindsAt(List<Violation> violations) {
    return violations.stream()
        .map(v -> v.kind().text() + " " + v.switchId())
        .collect(Collectors.toList());
  }

  @Test
  void theIdealStateOfFigure32HasNothingWrongAndSplitsAUnitAsWeighted() {
    Fabric fabric = Fabrics.figure32();
    ForwardingState state = ideal(fabric, WeightRule.EFFECTIVE_CAPACITY);
    assertEquals(List.of(), Verifier.verify(state, WeightRule.EFFECTIVE_CAPACITY, Ratio.ONE));
    int s12 = fabric.indexOf("s1-2");
    TrafficSplit split = TrafficSplit.of(state, fabric.indexOf("s1-0"), s12);
    assertEquals(Ratio.ONE, split.delivered());
    // S2_0 gets 1/6 + 1/6 for its one link to S1_2, S2_1 1/3 for its one, S2_2 1/3 for its two.
    int[] parts = {3, 3, 6, 6};
    for (int i = 0; i < parts.length; i++) {
      assertEquals(Ratio.of(1, parts[i]), split.share(fabric.outArc(s12, i) ^ 1));
    }
  }

  /** The uplinks to x share its downlink in the ratio of their capacities. */
  @Test
  void idealWeightsMayHaveMoreThan63BitsTogether() {
    Fabric fabric =
        new FabricBuilder()
            .addSwitch("a", 1, Fabric.UNLIMITED)
            .addSwitch("b", 1, Fabric.UNLIMITED)
            .addSwitch("x", 2, Fabric.UNLIMITED)
            .addSwitch("y", 2, Fabric.UNLIMITED)
            .addLink("a/1", "x/1", Long.MAX_VALUE)
            .addLink("a/2", "x/2", 10_000_000_000L)
            .addLink("a/3", "y/1", 10_000_000_000L)
            .addLink("b/1", "x/3", 10_000_000_000L)
            .addLink("b/2", "y/2", 10_000_000_000L)
            .addSubnet("b", TO_S12)
            .build();
    ForwardingState state =
        new ForwardingState.Builder(fabric)
            .add(0, out(TO_S12, 1, 2, 3))
            .add(2, out(TO_S12, 3))
            .add(3, out(TO_S12, 2))
            .build();
    assertEquals(
        List.of("share a"),
        kindsAt(Verifier.verify(state, WeightRule.EFFECTIVE_CAPACITY, Ratio.parse("2"))));
  }

  @Test
  void ecmpOnFigure32OversubscribesByAHalf() {
    Fabric fabric = Fabrics.figure32();
    ForwardingState state = ideal(fabric, WeightRule.EQUAL);
    WeightRule wcmp = WeightRule.EFFECTIVE_CAPACITY;
    assertEquals(List.of(), Verifier.verify(state, wcmp, Ratio.parse("1.5")));
    List<Violation> strict = Verifier.verify(state, wcmp, Ratio.parse("1.4999"));
    assertTrue(kindsAt(strict).contains("share s1-0"), strict.toString());
    assertTrue(strict.get(0).detail().contains("oversubscription 1.5 is above"));
  }

  /** Port 4 of s1-0 is slow, and its group has the others alone, one entry each. */
  private static Fabric slowUplink() {
    FabricBuilder builder = new FabricBuilder();
    builder.addSwitch("s1-0", 1, Fabric.UNLIMITED).addSwitch("s1-2", 1, Fabric.UNLIMITED);
    for (int spine = 1; spine <= 4; spine++) {
      builder.addSwitch("s2-" + spine, 2, Fabric.UNLIMITED);
      builder.addLink("s1-0/" + spine, "s2-" + spine + "/1", spine == 4 ? 1 : 400);
      builder.addLink("s1-2/" + spine, "s2-" + spine + "/2", 400);
    }
    return builder
        .addSubnet("s1-0", Ipv4Prefix.parse("10.0.0.0/24"))
        .addSubnet("s1-2", TO_S12)
        .build();
  }

  private static ForwardingState withoutPortFour(Fabric fabric) {
    return ideal(fabric, WeightRule.EFFECTIVE_CAPACITY, TO_S12)
        .add(fabric.indexOf("s1-0"), out(TO_S12, 1, 2, 3))
        .add(fabric.indexOf("s2-1"), out(TO_S12, 2))
        .add(fabric.indexOf("s2-2"), out(TO_S12, 2))
        .add(fabric.indexOf("s2-3"), out(TO_S12, 2))
        .add(fabric.indexOf("s2-4"), out(TO_S12, 2))
        .build();
  }

  @Test
  void aPortThatIsLeftOutIsNoViolationBesideWhatTheOthersGetForIt() {
    ForwardingState state = withoutPortFour(slowUplink());
    WeightRule wcmp = WeightRule.EFFECTIVE_CAPACITY;
    assertEquals(List.of(), Verifier.verify(state));
    assertEquals(List.of(), Verifier.verify(state, wcmp, Ratio.parse("1.001")));
    assertEquals(
        List.of("share s1-0"), kindsAt(Verifier.verify(state, wcmp, Ratio.parse("1.0008"))));
  }

  @Test
  void aPortThatIsLeftOutAndIsTheLastWayIsAViolation() {
    Fabric fabric = slowUplink();
    int[] others = {linkOf(fabric, "s1-0/1"), linkOf(fabric, "s1-0/2"), linkOf(fabric, "s1-0/3")};
    Fabric lastWay = fabric.withLinksDown(others);
    List<Violation> violations =
        Verifier.verify(withoutPortFour(lastWay), WeightRule.EFFECTIVE_CAPACITY, Ratio.parse("2"));
    assertTrue(kindsAt(violations).contains("black-hole s1-0"), violations.toString());
  }

  private static int linkOf(Fabric fabric, String end) {
    return IntStream.range(0, fabric.linkCount())
        .filter(link -> fabric.end(2 * link).toString().equals(end))
        .findFirst()
        .getAsInt();
  }

  @Test
  void seesALoopAtEverySwitchOnIt() {
    Fabric fabric = Fabrics.figure32();
    ForwardingState.Builder builder = ideal(fabric, WeightRule.EQUAL, TO_S12);
    builder.add(fabric.indexOf("s1-0"), out(TO_S12, 1));
    builder.add(fabric.indexOf("s2-0"), out(TO_S12, 3));
    builder.add(fabric.indexOf("s1-1"), out(TO_S12, 1, 2));
    builder.add(fabric.indexOf("s2-1"), out(TO_S12, 4));
    ForwardingState state = builder.build();
    assertEquals(List.of("loop s1-0", "loop s1-1", "loop s2-0"), kindsAt(Verifier.verify(state)));
    assertThrows(IllegalStateException.class, () -> TrafficSplit.of(state, 0, 2));
  }

  @Test
  void seesAMissingRuleAndAPortThatLeadsNowhere() {
    Fabric fabric = Fabrics.figure32();
    ForwardingState.Builder builder = ideal(fabric, WeightRule.EQUAL, TO_S12);
    builder.add(fabric.indexOf("s1-0"), out(TO_S12, 1, 77));
    builder.add(fabric.indexOf("s1-1"), out(TO_S12, 2));
    builder.add(fabric.indexOf("s2-1"), out(TO_S12, 4));
    ForwardingState state = builder.build();
    assertEquals(List.of("black-hole s1-0", "black-hole s2-0"), kindsAt(Verifier.verify(state)));
    assertEquals(Ratio.ZERO, TrafficSplit.of(state, 0, 2).delivered());
    assertEquals(Ratio.ONE, TrafficSplit.of(state, 1, 2).delivered());
  }

  @Test
  void aLongerPrefixThatGoesAstrayIsSeen() {
    Fabric fabric = Fabrics.figure32();
    ForwardingState.Builder builder = ideal(fabric, WeightRule.EQUAL, null);
    builder.add(fabric.indexOf("s2-1"), out(Ipv4Prefix.parse("10.0.2.128/25"), 1));
    List<Violation> violations = Verifier.verify(builder.build());
    assertEquals(
        Set.of("10.0.2.128/25"),
        violations.stream().map(Violation::destination).collect(Collectors.toSet()));
    assertTrue(kindsAt(violations).contains("loop s2-1"), violations.toString());
  }

  @Test
  void aPrefixWithinAnotherSwitchsBelongsToItsOwnSwitch() {
    FabricBuilder builder = new FabricBuilder();
    builder.addSwitch("a", 1, Fabric.UNLIMITED).addSwitch("b", 1, Fabric.UNLIMITED);
    builder.addLink("a/1", "b/1", 10);
    builder.addSubnet("a", Ipv4Prefix.parse("10.0.0.0/16"));
    builder.addSubnet("b", Ipv4Prefix.parse("10.0.1.0/24"));
    ForwardingState state = ideal(builder.build(), WeightRule.EQUAL);
    assertEquals(List.of(), Verifier.verify(state));
  }

  @Test
  void seesATableThatOverflowsAndCountsASharedGroupOnce() {
    FabricBuilder builder = new FabricBuilder().addSwitch("a", 1, 3).addSwitch("b", 1, 3);
    builder.addLink("a/1", "b/1", 10).addLink("a/2", "b/2", 10);
    builder.addSubnet("b", Ipv4Prefix.parse("10.0.0.0/24"));
    builder.addSubnet("b", Ipv4Prefix.parse("10.0.1.0/24"));
    Fabric fabric = builder.build();
    assertEquals(List.of(), Verifier.verify(twoPrefixes(fabric, 1, 1)));
    assertEquals(List.of("table-overflow a"), kindsAt(Verifier.verify(twoPrefixes(fabric, 1, 2))));
  }

  private static ForwardingState twoPrefixes(Fabric fabric, int group0, int group1) {
    int[] ports = {1, 2};
    int[] weights = {1, 1};
    return new ForwardingState.Builder(fabric)
        .add(0, new MultipathRule(fabric.subnetPrefix(0), group0, ports, weights))
        .add(0, new MultipathRule(fabric.subnetPrefix(1), group1, ports, weights))
        .build();
  }

  @Test
  void tellsWhatTheFabricCannotReachFromWhatTheRulesLose() {
    FabricBuilder builder = new FabricBuilder();
    builder.addSwitch("a", 1, Fabric.UNLIMITED).addSwitch("b", 1, Fabric.UNLIMITED);
    builder.addSubnet("a", Ipv4Prefix.parse("10.0.0.0/24"));
    builder.addSubnet("b", Ipv4Prefix.parse("10.0.1.0/24"));
    ForwardingState state = new ForwardingState.Builder(builder.build()).build();
    assertEquals(List.of("unreachable b", "unreachable a"), kindsAt(Verifier.verify(state)));
  }

  @Property(tries = 300)
  void agreesWithAWalkOverEveryPath(
      @ForAll @IntRange(min = 2, max = 6) int switches,
      @ForAll @IntRange(min = 1, max = 10) int links,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = Fabrics.random(random, switches, links);
    ForwardingState state = randomState(fabric, random);
    List<Violation> violations = Verifier.verify(state);
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      String prefix = fabric.subnetPrefix(subnet).toString();
      boolean loops = false;
      boolean loses = false;
      for (int s = 0; s < switches; s++) {
        String ends = walk(state, s, subnet, new HashSet<>());
        loops |= ends.contains("L");
        loses |= ends.contains("D");
      }
      assertEquals(loops, has(violations, prefix, Kind.LOOP));
      // A switch from which the fabric has no path may still forward: into a loop, say.
      boolean unreachable = has(violations, prefix, Kind.UNREACHABLE);
      assertTrue(has(violations, prefix, Kind.BLACK_HOLE) ? loses : !loses || unreachable);
    }
  }

  private static boolean has(List<Violation> violations, String prefix, Kind kind) {
    return violations.stream().anyMatch(v -> v.kind() == kind && v.destination().equals(prefix));
  }

  /** Mostly sensible routes, with some rules missing and some pointing anywhere. */
  private static ForwardingState randomState(Fabric fabric, SplittableRandom random) {
    ForwardingState.Builder builder = new ForwardingState.Builder(fabric);
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      DestinationRoutes routes = WeightRule.EQUAL.routes(fabric, fabric.subnetSwitch(subnet));
      for (int s = 0; s < fabric.switchCount(); s++) {
        int luck = random.nextInt(10);
        if (luck == 0 && fabric.outDegree(s) > 0) {
          int arc = fabric.outArc(s, random.nextInt(fabric.outDegree(s)));
          builder.add(s, out(fabric.subnetPrefix(subnet), fabric.port(arc)));
        } else if (luck > 1 && routes.memberCount(s) > 0) {
          builder.add(s, out(fabric.subnetPrefix(subnet), routes.ports(fabric, s)));
        }
      }
    }
    return builder.build();
  }

  /** The ends of all walks: arrived (A), dropped (D) or back where it was (L). */
  private static String walk(ForwardingState state, int s, int subnet, Set<Integer> passed) {
    Fabric fabric = state.fabric();
    if (s == fabric.subnetSwitch(subnet)) {
      return "A";
    }
    if (!passed.add(s)) {
      return "L";
    }
    MultipathRule rule = state.lookup(s, fabric.subnetPrefix(subnet));
    StringBuilder ends = new StringBuilder(rule == null ? "D" : "");
    for (int m = 0; rule != null && m < rule.memberCount(); m++) {
      int next = -1;
      for (int i = 0; i < fabric.outDegree(s); i++) {
        if (fabric.port(fabric.outArc(s, i)) == rule.port(m)) {
          next = fabric.to(fabric.outArc(s, i));
        }
      }
      ends.append(next < 0 ? "D" : walk(state, next, subnet, passed));
    }
    passed.remove(s);
    return ends.toString();
  }

  @Property(tries = 200)
  void aLoopFreeStateWithoutHolesDeliversExactlyOne(
      @ForAll @IntRange(min = 2, max = 7) int switches,
      @ForAll @IntRange(min = 1, max = 20) int links,
      @ForAll long seed) {
    Fabric fabric = Fabrics.random(new SplittableRandom(seed), switches, links);
    ForwardingState state = ideal(fabric, WeightRule.EQUAL);
    for (int subnet = 0; subnet < switches; subnet++) {
      DestinationRoutes routes = WeightRule.EQUAL.routes(fabric, fabric.subnetSwitch(subnet));
      for (int s = 0; s < switches; s++) {
        Ratio expected = routes.hops(s) >= 0 ? Ratio.ONE : Ratio.ZERO;
        assertEquals(expected, TrafficSplit.of(state, s, subnet).delivered());
      }
    }
  }
}
