package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

/** The strategy pair on {@link Fabrics#sharedBottleneck}, and where a table is too small for it. */
class EnginePairsTest extends EngineFixture {
  private static final long TEN_GBPS = 10_000_000_000L;
  private static final Ipv4Prefix TO_D = Ipv4Prefix.parse("10.0.2.0/24");
  private static final Ipv4Prefix FROM_P = Ipv4Prefix.parse("10.0.0.0/24");

  private void startWith(Fabric fabric) {
    start(fabric, 1);
    engine.useRule(WeightRule.PAIR);
    loop.runFor(SECOND_NANOS);
    assertConverged();
  }

  private FlowRule pairAtT() {
    SwitchTables held = network.tables("t");
    return held.pairMatching(FlowRule.pairToPort(FROM_P, TO_D, 0));
  }

  @Test
  void aPairsRuleLeadsPastTheBottleneckThatOthersUse() {
    startWith(Fabrics.sharedBottleneck());
    assertEquals(FlowRule.pairToPort(FROM_P, TO_D, 5), pairAtT());
    assertArrayEquals(new int[] {4, 5}, network.tables("t").outPorts(TO_D));
    GroupState ofDestination = group("t", "d");
    assertEquals(
        List.of(1L, 1L), List.of(ofDestination.idealWeight(0), ofDestination.idealWeight(1)));
    engine.useRule(WeightRule.EFFECTIVE_CAPACITY);
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertEquals(0, network.tables("t").pairCount());
  }

  @Test
  void whenThePairsWayFailsItsPacketsFollowTheDestinations() {
    Fabric fabric = Fabrics.sharedBottleneck();
    startWith(fabric);
    network.cut(linkNamed(fabric, "t/5-y/1"));
    loop.runFor(SECOND_NANOS);
    assertConfirmed();
    assertArrayEquals(new int[] {4}, network.tables("t").outPorts(TO_D));
    network.heal(linkNamed(fabric, "t/5-y/1"));
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertEquals(FlowRule.pairToPort(FROM_P, TO_D, 5), pairAtT());
  }

  @Test
  void aSwitchThatHasMergedRulesHasThoseOfPairsBeside() {
    startWith(Fabrics.sharedBottleneck());
    engine.change(now -> now.withAggregating(List.of("t")));
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertEquals(FlowRule.pairToPort(FROM_P, TO_D, 5), pairAtT());
  }

  /** The groups for d and for q take all 32 entries; there is no room for that from p to d. */
  @Test
  void whereATableHoldsTheGroupsOfDestinationsOnlyOneEventSaysSo() {
    startWith(twoSplits(32));
    engine.change(now -> now.withMaxOversubscription(new BigDecimal("1.5")));
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertEquals(0, network.tables("t").pairCount());
    List<String> said =
        engine.events().since(0).stream()
            .filter(event -> event.kind() == Event.Kind.PAIRS_LEFT_OUT)
            .map(Event::subject)
            .collect(Collectors.toList());
    assertEquals(1, said.size(), said.toString());
    assertTrue(said.get(0).startsWith("t: its 3 groups need at least 48"), said.get(0));
    assertTrue(said.get(0).endsWith("pairs use their destinations' groups there"), said.get(0));
  }

  @Test
  void aTableWithRoomHasThem() {
    startWith(twoSplits(48));
    assertArrayEquals(new int[] {5, 6}, network.tables("t").outPorts(pairAtT()));
    GroupState ofPair =
        engine.view().groups().stream()
            .filter(group -> group.pairs().contains(List.of("p", "d")))
            .findFirst()
            .orElseThrow();
    assertEquals(List.of(), ofPair.destinations());
    assertEquals(List.of(5, 6), List.of(ofPair.port(0), ofPair.port(1)));
  }

  /** With a second y: what p sends to t is to be split over these two. */
  private static Fabric twoSplits(int tableEntries) {
    FabricBuilder builder = new FabricBuilder();
    for (String id : List.of("p", "q", "d")) {
      builder.addSwitch(id, 1, Fabric.UNLIMITED);
    }
    builder.addSwitch("t", 2, tableEntries);
    for (String id : List.of("u", "x", "y", "z")) {
      builder.addSwitch(id, 2, Fabric.UNLIMITED);
    }
    builder.addLink("p/1", "t/1", 2 * TEN_GBPS).addLink("p/2", "u/1", TEN_GBPS);
    builder.addLink("q/1", "t/2", TEN_GBPS).addLink("q/2", "t/3", TEN_GBPS);
    builder.addLink("t/4", "x/1", TEN_GBPS).addLink("t/5", "y/1", TEN_GBPS);
    builder.addLink("t/6", "z/1", TEN_GBPS).addLink("u/2", "x/2", TEN_GBPS);
    builder.addLink("x/3", "d/1", TEN_GBPS).addLink("y/2", "d/2", TEN_GBPS);
    builder.addLink("z/2", "d/3", TEN_GBPS);
    builder.addSubnet("p", FROM_P);
    builder.addSubnet("q", Ipv4Prefix.parse("10.0.1.0/24"));
    builder.addSubnet("d", TO_D);
    return builder.build();
  }
}
