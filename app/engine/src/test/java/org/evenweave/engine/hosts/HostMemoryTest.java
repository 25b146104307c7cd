package org.evenweave.engine.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.fake.KeptMemory;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.Nib;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HostMemoryTest {
  private static final int ADDRESS = 0x0a00_0002;
  private static final Host HOST = new Host(ADDRESS, 0x0200_0000_0001L, "s1-0", 9);

  private final KeptMemory kept = new KeptMemory();
  private final HostMemory memory = new HostMemory(kept);
  private final Nib nib = newNib();

  private static Nib newNib() {
    return new Nib(new EngineConfig(Fabrics.figure32(), Map.of(), WeightRule.EFFECTIVE_CAPACITY));
  }

  private static void connect(Nib nib) {
    nib.switchUp("s1-0");
    nib.tablesKnown("s1-0", Set.of());
  }

  @BeforeEach
  void aHostIsLearned() {
    connect(nib);
    nib.hostKnown(HOST);
    memory.follow(nib.snapshot(), nib);
    assertEquals(List.of(HOST), kept.hosts());
  }

  @Test
  void aHostIsKeptWhileItsSwitchIsAwayAndKnownWhenItIsBack() {
    nib.switchDown("s1-0");
    memory.follow(nib.snapshot(), nib);
    assertEquals(HOST, nib.hostAt(ADDRESS));
    assertEquals(List.of(HOST), kept.hosts());
    connect(nib);
    memory.recall("s1-0", nib);
    assertEquals(HOST, nib.hostAt(ADDRESS));
  }

  @Test
  void aHostIsKeptWhileItsPortIsDownAndKnownWhenItIsUp() {
    nib.portChanged("s1-0", HOST.port(), false, 0);
    memory.recall("s1-0", nib);
    memory.follow(nib.snapshot(), nib);
    assertNull(nib.hostAt(ADDRESS));
    assertEquals(List.of(HOST), kept.hosts());
    nib.portChanged("s1-0", HOST.port(), true, 0);
    memory.recall("s1-0", nib);
    assertEquals(HOST, nib.hostAt(ADDRESS));
  }

  @Test
  void aHostWhosePortLeadsToASwitchIsForgotten() {
    nib.configure(nib.config().withLinksDiscovered());
    nib.portChanged("s1-0", HOST.port(), true, 0);
    nib.linkSeen(HOST.location(), new SwitchPort("s2-0", 9));
    memory.follow(nib.snapshot(), nib);
    assertEquals(List.of(), kept.hosts());
  }

  @Test
  void aHostThatHasMovedIsNotRecalledWhereItWas() {
    nib.portChanged("s1-0", HOST.port(), false, 0);
    memory.follow(nib.snapshot(), nib);
    Host moved = new Host(ADDRESS, HOST.mac(), "s1-0", 8);
    nib.portChanged("s1-0", 8, true, 0);
    nib.hostSeen(moved);
    memory.follow(nib.snapshot(), nib);
    nib.portChanged("s1-0", HOST.port(), true, 0);
    memory.recall("s1-0", nib);
    assertEquals(moved, nib.hostAt(ADDRESS));
    assertEquals(List.of(moved), kept.hosts());
  }

  @Test
  void theNextEngineRecallsIt() {
    HostMemory next = new HostMemory(kept);
    Nib nextNib = newNib();
    next.follow(nextNib.snapshot(), nextNib);
    assertEquals(List.of(HOST), kept.hosts());
    connect(nextNib);
    next.recall("s1-0", nextNib);
    assertEquals(HOST, nextNib.hostAt(ADDRESS));
  }
}
