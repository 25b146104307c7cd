package org.evenweave.engine.forwarding;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.paths.PathCalculator;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.port.SwitchTraits;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

/** What becomes of rules for pairs while what is found installed is kept. */
class PrunedPairsTest {
  private static final Ipv4Prefix TO_D = Ipv4Prefix.parse("10.0.2.0/24");
  private static final FlowRule PAST_X =
      FlowRule.pairToPort(Ipv4Prefix.parse("10.0.0.0/24"), TO_D, 5);

  private final Fabric fabric = Fabrics.sharedBottleneck();
  private final Map<String, SwitchTables> found =
      TableCompiler.compile(
              PathCalculator.routes(new Snapshot(1, fabric, List.of()), WeightRule.PAIR),
              Map.of(),
              SwitchTraits.UNKNOWN)
          .tables();

  private SwitchTables tablesOfTWithout(String link) {
    int down =
        IntStream.range(0, fabric.linkCount())
            .filter(l -> fabric.linkName(l).equals(link))
            .findFirst()
            .orElseThrow();
    Snapshot now = new Snapshot(2, fabric.withLinksDown(down), List.of());
    return PrunedTables.of(now, found, found, port -> true, id -> IntStream.range(1, 99)).get("t");
  }

  @Test
  void aPairWithoutALiveNextHopFollowsItsDestination() {
    assertEquals(PAST_X, found.get("t").pairMatching(PAST_X));
    SwitchTables left = tablesOfTWithout("t/5-y/1");
    assertNull(left.pairMatching(PAST_X));
    assertArrayEquals(new int[] {4}, left.outPorts(TO_D));
  }

  @Test
  void soDoesOneWhoseNextHopCanSendNothingOn() {
    assertNull(tablesOfTWithout("y/2-d/2").pairMatching(PAST_X));
  }

  @Test
  void aPairWhoseNextHopsAreAliveKeepsThem() {
    SwitchTables left = tablesOfTWithout("t/4-x/1");
    assertEquals(PAST_X, left.pairMatching(PAST_X));
    assertArrayEquals(new int[] {5}, left.outPorts(TO_D));
  }
}
