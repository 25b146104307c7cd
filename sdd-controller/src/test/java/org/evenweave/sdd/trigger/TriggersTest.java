package org.evenweave.sdd.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Triggers at hosts in virtual time, which answer and tell when the test lets them. */
class TriggersTest {
  private static final int WEB = 3;
  private static final int BACKUP = 4;

  private static final String FULL =
      "{'name': 'full', 'queue': 'class:web', 'when': 'bytes > 100', 'until': 'bytes < 10',"
          + " 'actions': [{'action': 'close', 'queue': 'class:backup'}]}";

  private final TriggerBed bed = new TriggerBed(2, 8, 64);

  @AfterEach
  void close() {
    bed.close();
  }

  private String kind() {
    return bed.triggers.recent().stream()
        .map(firing -> firing.kind() + " " + firing.trigger() + " " + firing.host())
        .collect(Collectors.joining(", "));
  }

  @Test
  void aClassIsClosedWhileItsTriggerIsInForceAndWhereItFired() throws Exception {
    bed.up(0, 1).replace(FULL).settle();
    bed.host(0).bytes(WEB, 500);
    bed.settle();
    assertFalse(bed.host(0).isOpen(BACKUP));
    assertTrue(bed.host(1).isOpen(BACKUP));
    assertEquals(0, bed.sharing.rateBps(0, 1));
    bed.host(0).bytes(WEB, 50);
    bed.settle();
    assertFalse(bed.host(0).isOpen(BACKUP));
    bed.host(0).bytes(WEB, 9);
    bed.settle();
    assertTrue(bed.host(0).isOpen(BACKUP));
    assertEquals("FIRED full h0, ENDED full h0", kind());
  }

  @Test
  void anActionMayBeForOtherHosts() throws Exception {
    bed.up(0, 1)
        .replace(FULL.replace("'class:backup'}", "'class:backup', 'hosts': ['h1']}"))
        .settle();
    bed.host(0).bytes(WEB, 500);
    bed.settle();
    assertTrue(bed.host(0).isOpen(BACKUP));
    assertFalse(bed.host(1).isOpen(BACKUP));
    // Nobody knows whether it is still so: the other goes on.
    bed.down(0).settle();
    assertTrue(bed.host(1).isOpen(BACKUP));
  }

  @Test
  void whatATriggerOpensIsClosedUntilItFires() throws Exception {
    bed.up(0, 1).replace(FULL.replace("close", "open")).settle();
    assertFalse(bed.host(0).isOpen(BACKUP));
    bed.host(0).bytes(WEB, 500);
    bed.settle();
    assertTrue(bed.host(0).isOpen(BACKUP));
    bed.replace().settle();
    assertTrue(bed.host(1).isOpen(BACKUP));
  }

  @Test
  void aCeilingIsTheLeastOfThoseInForce() throws Exception {
    String ceiling =
        "{'name': 'N', 'queue': 'packet', 'when': 'bytes > N', 'until': 'bytes < 1', 'actions':"
            + " [{'action': 'ceiling', 'queue': 'class:web', 'ceilingBps': N000}]}";
    bed.up(0).replace(ceiling.replace("N", "50"), ceiling.replace("N", "70")).settle();
    assertEquals(1_000_000, bed.sharing.rateBps(0, 0));
    bed.host(0).bytes(2, 100);
    bed.settle();
    assertEquals(50_000, bed.sharing.rateBps(0, 0));
    assertEquals(
        List.of("currTime - lastXmitTime >= " + 8_000_000L * 1_000 / 50_000 * 1_000),
        bed.host(0).conditions.get(WEB));
  }

  @Test
  void aPairGetsNoCircuitsWhileItsQueueIsClosed() throws Exception {
    bed.up(0, 1).replace(FULL.replace("class:backup", "to:h1")).settle();
    bed.host(0).bytes(WEB, 500);
    bed.host(1).bytes(WEB, 500);
    bed.settle();
    assertTrue(bed.held.isHeld(0, 1));
    assertFalse(bed.held.isHeld(1, 0));
    assertFalse(bed.held.isHeld(1, 1));
  }

  @Test
  void aHostThatComesBackWatchesAnew() throws Exception {
    bed.up(0).replace(FULL).settle();
    bed.host(0).bytes(WEB, 500);
    bed.settle();
    bed.down(0);
    bed.host(0).bytes(WEB, 50);
    bed.up(0).settle();
    assertTrue(bed.host(0).isOpen(BACKUP));
    bed.down(0);
    bed.host(0).bytes(WEB, 500);
    bed.up(0).settle();
    assertFalse(bed.host(0).isOpen(BACKUP));
    assertEquals("FIRED full h0, ENDED full h0, FIRED full h0", kind());
  }

  @Test
  void withoutAnEndTheOperatorEndsIt() throws Exception {
    bed.up(0).replace(FULL.replace(", 'until': 'bytes < 10'", "")).settle();
    bed.host(0).bytes(WEB, 500);
    bed.settle();
    bed.host(0).bytes(WEB, 0);
    bed.down(0).up(0).settle();
    assertFalse(bed.host(0).isOpen(BACKUP));
    assertTrue(bed.triggers.end("full"));
    assertFalse(bed.triggers.end("empty"));
    bed.settle();
    assertTrue(bed.host(0).isOpen(BACKUP));
    assertEquals("FIRED full h0, ENDED_BY_OPERATOR full h0", kind());
    assertTrue(bed.triggers.recent().get(0).reportsQueue());
    assertFalse(bed.triggers.recent().get(1).reportsQueue());
  }

  @Test
  void aTriggerThatStaysTheSameKeepsItsState() throws Exception {
    bed.up(0).replace(FULL).settle();
    bed.host(0).bytes(WEB, 500);
    bed.settle();
    String other = FULL.replace("full", "other").replace("backup", "web");
    bed.replace(other, FULL).settle();
    TriggerState kept = bed.triggers.states("full").get(0);
    assertEquals(1, kept.fired());
    assertTrue(kept.inForce());
    assertEquals(4, bed.host(0).triggers());
    bed.replace(other).settle();
    assertTrue(bed.host(0).isOpen(BACKUP));
    assertEquals(2, bed.host(0).triggers());
  }

  @Test
  void whatAHostRefusesIsSaidAndNotHalfWatched() throws Exception {
    try (TriggerBed small = new TriggerBed(1, 8, 1)) {
      small.up(0).replace(FULL).settle();
      TriggerState state = small.triggers.states("full").get(0);
      assertEquals("refused", state.state());
      assertEquals("h0: FULL: not here", state.problem());
      assertEquals(0, small.host(0).triggers());
    }
  }

  @Test
  void applicationsAreToldOfWhatAsksForItAndNotOnceItIsWithdrawn() throws Exception {
    String tells = FULL.replace("'name': 'full'", "'name': 'tells', 'applications': true");
    long cookie = bed.read(tells).triggers().get(0).applicationCookie();
    bed.up(0).replace(FULL, tells).settle();
    assertEquals(5, bed.host(0).triggers());
    bed.replace(tells).settle();
    assertEquals(3, bed.host(0).triggers());
    bed.host(0).bytes(WEB, 500);
    bed.settle();
    assertEquals(List.of(cookie), bed.host(0).applicationsTold);
    assertEquals("FIRED tells h0", kind());
    // The end is the controller's alone.
    bed.host(0).bytes(WEB, 0);
    bed.settle();
    assertEquals(List.of(cookie), bed.host(0).applicationsTold);
    bed.replace(FULL).settle();
    bed.host(0).bytes(WEB, 500);
    bed.settle();
    assertEquals(List.of(cookie), bed.host(0).applicationsTold);
    assertEquals(2, bed.host(0).triggers());
  }

  /** Two of three fit, in whatever order they are asked for. */
  @Test
  void aHostWithoutRoomForWhatApplicationsAreToldWatchesNothingOfIt() throws Exception {
    try (TriggerBed small = new TriggerBed(1, 8, 2)) {
      small.up(0).replace(FULL.replace("'name'", "'applications': true, 'name'")).settle();
      assertEquals("refused", small.triggers.states("full").get(0).state());
      assertEquals(0, small.host(0).triggers());
    }
  }

  @Test
  void aConditionMayNameOtherQueues() throws Exception {
    bed.up(0).replace(FULL.replace("'bytes > 100'", "'Q[to:h1].bytes > 100'")).settle();
    bed.host(0).bytes(1, 500);
    bed.settle();
    assertEquals("FIRED full h0", kind());
  }
}
