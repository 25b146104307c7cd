package org.evenweave.engine.nib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.fake.RandomEvents;
import org.evenweave.engine.forwarding.DesiredState;
import org.evenweave.engine.forwarding.TableCompiler;
import org.evenweave.engine.paths.PathCalculator;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.port.SwitchTraits;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.LeaveOut;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

/** The NIB, and what is carried over between its snapshots, against computing all of it again. */
class NibTest {
  @Property(tries = 100)
  void snapshotsAndWhatIsCarriedOverAreAsIfMadeFromScratch(
      @ForAll @IntRange(min = 2, max = 8) int switches,
      @ForAll @IntRange(min = 1, max = 20) int links,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = Fabrics.random(random, switches, links);
    boolean configured = random.nextBoolean();
    EngineConfig config =
        configured
            ? new EngineConfig(fabric, Map.of(), WeightRule.EFFECTIVE_CAPACITY)
            : EngineConfig.empty();
    Nib nib = new Nib(config);
    RandomEvents events = new RandomEvents(fabric, nib, random);
    Routing earlier = null;
    boolean replicated = random.nextBoolean();
    SwitchTraits traits =
        new SwitchTraits() {
          @Override
          public SwitchTarget target(String switchId) {
            return replicated ? SwitchTarget.REPLICATED_ENTRIES : SwitchTarget.OVS_UNIT_BUCKETS;
          }
        };
    DesiredState desired =
        TableCompiler.compile(
            PathCalculator.routes(nib.snapshot(), WeightRule.EQUAL), Map.of(), traits);
    for (int step = 0; step < 60; step++) {
      events.next();
      Snapshot snapshot = nib.snapshot();
      assertEquals(events.linksUp(), upLinks(snapshot.physical()));
      assertEquals(events.present(), new TreeSet<>(snapshot.switchIds()));
      WeightRule rule = random.nextInt(10) == 0 ? WeightRule.AUTOMATIC : WeightRule.EQUAL;
      // Flows that an event concerns are outstanding at first; the full result has them at once.
      Routing routing = PathCalculator.routes(snapshot, rule, earlier).withFlowsOfDestinations();
      assertSameRoutes(PathCalculator.routes(snapshot, rule), routing);
      earlier = random.nextInt(10) == 0 ? null : routing;
      Map<String, SwitchTables> installed = desired.tables();
      desired =
          TableCompiler.compile(routing, Ratio.ONE, LeaveOut.NEVER, installed, traits, desired);
      assertEquals(TableCompiler.compile(routing, installed, traits).tables(), desired.tables());
    }
  }

  private static void assertSameRoutes(Routing full, Routing carried) {
    Fabric fabric = full.snapshot().fabric();
    assertEquals(full.destinations().length, carried.destinations().length);
    for (int destination : full.destinations()) {
      for (int s = 0; s < fabric.switchCount(); s++) {
        assertEquals(full.to(destination).hops(s), carried.to(destination).hops(s));
        assertEquals(full.to(destination).group(s), carried.to(destination).group(s));
      }
    }
  }

  private static TreeSet<String> upLinks(Fabric fabric) {
    TreeSet<String> up = new TreeSet<>();
    for (int link = 0; link < fabric.linkCount(); link++) {
      if (fabric.isUp(link)) {
        up.add(fabric.linkName(link) + " " + fabric.capacityBps(2 * link));
      }
    }
    return up;
  }

  @Test
  void aKnownFabricIsNumberedOnceWhateverGoesDownAndComesBack() {
    Fabric fabric = Fabrics.figure32();
    Nib nib = new Nib(new EngineConfig(fabric, Map.of(), WeightRule.EFFECTIVE_CAPACITY));
    Snapshot first = nib.snapshot();
    RandomEvents events = new RandomEvents(fabric, nib, new SplittableRandom(1));
    for (int step = 0; step < 200; step++) {
      events.next();
      assertTrue(nib.snapshot().fabric().hasNumberingOf(first.fabric()));
    }
    assertNotSame(first, nib.snapshot());
  }

  @Test
  void theSecondEndOfAFailedLinkChangesNothingAnyMore() {
    Fabric fabric = Fabrics.figure32();
    Nib nib = new Nib(new EngineConfig(fabric, Map.of(), WeightRule.EFFECTIVE_CAPACITY));
    for (int s = 0; s < fabric.switchCount(); s++) {
      nib.switchUp(fabric.switchId(s));
      nib.tablesKnown(fabric.switchId(s), Set.of());
    }
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      setPort(nib, fabric.end(arc), true);
      nib.linkSeen(fabric.end(arc), fabric.end(arc ^ 1));
    }
    Snapshot whole = nib.snapshot();
    setPort(nib, fabric.end(0), false);
    Snapshot failed = nib.snapshot();
    assertEquals(whole.linkCount() - 1, failed.linkCount());
    setPort(nib, fabric.end(1), false);
    nib.linkLost(fabric.end(0), fabric.end(1));
    nib.linkLost(fabric.end(1), fabric.end(0));
    assertSame(failed, nib.snapshot());
  }

  private static void setPort(Nib nib, SwitchPort end, boolean up) {
    nib.portChanged(end.switchId(), end.number(), up, 10_000_000_000L);
  }
}
