package org.evenweave.sdd.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.config.SddConfigReader;
import org.evenweave.sdd.config.SharingConfig;
import org.evenweave.sdd.schedule.RecordedCommands;
import org.evenweave.sdd.session.FakeSessions;
import org.evenweave.sdd.session.HostSession;
import org.junit.jupiter.api.Test;

class ClassSharingTest {
  /** A packet takes 100 us at the whole capacity. */
  private static final long CAPACITY_BPS = 100_000_000;

  private static final int PACKET_BYTES = 1_250;
  private static final int WEB = 3;
  private static final int VIDEO = 4;
  private static final int BACKUP = 5;

  private final FakeSessions sessions = new FakeSessions(2);
  private final RecordedCommands sdd = new RecordedCommands();
  private long period;

  /** A tenant of weight 3 with two classes, of which one has a ceiling, and a class beside it. */
  private static String classes(String method) {
    return "'method': '"
        + method
        + "', 'classes': ["
        + "{'name': 'tenant'"
        + (method.equals("tree") ? ", 'weight': 3" : "")
        + "},"
        + "{'name': 'web', 'in': 'tenant', 'flows': [{'destinationPort': 80}]},"
        + "{'name': 'video', 'in': 'tenant', 'ceilingBps': 20000000, 'flows': [{'protocol': 17}]},"
        + "{'name': 'backup', 'flows': [{'destinationPort': 873}]}]";
  }

  private static SddConfig config(String sharing) throws Exception {
    String json =
        "{'hosts': ['h0', 'h1'], 'sharing': {'capacityBps': 100000000, 'packetBytes': 1250,"
            + sharing
            + "}}";
    return SddConfigReader.read(
        json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), Path.of("/"));
  }

  private ClassSharing sharing(String method) throws Exception {
    return upWith(classes(method));
  }

  private ClassSharing upWith(String classes) throws Exception {
    SddConfig config = config(classes);
    ClassSharing sharing =
        new ClassSharing(
            config.sharing(), config.directory()::nameOf, config.network().weekNs(), WEB, sdd);
    sharing.hostUp(host());
    return sharing;
  }

  private HostSession host() {
    return sessions.sessions().host(1);
  }

  private void report(ClassSharing sharing, long[]... rows) {
    sessions.report(1, period++, rows);
    sharing.demandReported(host());
  }

  private static List<Long> rates(ClassSharing sharing) {
    return List.of(sharing.rateBps(1, 1), sharing.rateBps(1, 2), sharing.rateBps(1, 3));
  }

  private static long gapNs(long rateBps) {
    return PACKET_BYTES * 8_000_000_000L / rateBps;
  }

  @Test
  void eachClassWithFlowsGetsAQueueOfTurnsAndItsCeiling() throws Exception {
    sharing("tree");
    assertEquals(
        List.of(
            "open 1/3 ROUND_ROBIN",
            "open 1/4 ROUND_ROBIN",
            "open 1/5 ROUND_ROBIN",
            "add 1/3 currTime - lastXmitTime >= " + gapNs(CAPACITY_BPS),
            "add 1/4 currTime - lastXmitTime >= " + gapNs(20_000_000),
            "add 1/5 currTime - lastXmitTime >= " + gapNs(CAPACITY_BPS)),
        sdd.commands);
  }

  @Test
  void queuesAreKnownByTheNamesOfTheirClasses() throws Exception {
    ClassSharing sharing = sharing("tree");
    assertEquals(Optional.of("backup"), sharing.className(BACKUP));
    assertEquals(Optional.empty(), sharing.className(WEB - 1));
  }

  @Test
  void whoWantsMoreThanThereIsSharesByTheTree() throws Exception {
    ClassSharing sharing = sharing("tree");
    long much = 10_000_000;
    report(sharing);
    report(
        sharing,
        new long[] {WEB, much, much, 0},
        new long[] {VIDEO, much, much, 0},
        new long[] {BACKUP, much, much, 0});
    // 3 : 1 for the tenant; in it the video has its ceiling, and the web what that leaves.
    assertEquals(List.of(55_000_000L, 20_000_000L, 25_000_000L), rates(sharing));
    // The tenant falls silent: but for the little that each keeps, all is the backup's.
    report(sharing, new long[] {BACKUP, much, 2 * much, much});
    assertEquals(List.of(1_000_000L, 1_000_000L, 98_000_000L), rates(sharing));
  }

  @Test
  void aRateThatHardlyChangesStaysAndCostsNoRequest() throws Exception {
    ClassSharing sharing = sharing("tree");
    report(sharing);
    report(sharing, new long[] {BACKUP, 0, 100_000, 100_000});
    int requests = sdd.commands.size();
    report(sharing, new long[] {BACKUP, 0, 201_000, 201_000});
    assertEquals(requests, sdd.commands.size());
  }

  @Test
  void aHostThatComesBackGetsItsLimitsAnew() throws Exception {
    ClassSharing sharing = sharing("tree");
    report(sharing);
    List<String> first = List.copyOf(sdd.commands.subList(0, 6));
    sdd.commands.clear();
    sessions.reconnect(1);
    sharing.hostUp(host());
    assertEquals(first, sdd.commands);
  }

  @Test
  void whoseNameStaysKeepsQueueAndRateAndTheOthersQueueIsClosed() throws Exception {
    ClassSharing sharing = sharing("tree");
    long much = 10_000_000;
    report(sharing);
    report(sharing, new long[] {WEB, much, much, 0}, new long[] {BACKUP, much, much, 0});
    assertEquals(List.of(74_000_000L, 1_000_000L, 25_000_000L), rates(sharing));
    sdd.commands.clear();
    // The video goes, the backup has a guarantee, and there is a new class.
    sharing.replace(
        config(
                "'classes': [{'name': 'backup', 'guaranteedBps': 60000000,"
                    + " 'flows': [{'destinationPort': 873}]},"
                    + "{'name': 'web', 'weight': 9, 'flows': [{'destinationPort': 80}]},"
                    + "{'name': 'mail', 'ceilingBps': 5000000, 'flows': [{'destinationPort': 25}]}]")
            .sharing());
    int mail = BACKUP + 1;
    assertEquals(
        List.of(BACKUP, WEB, mail), List.of(sharing.queue(0), sharing.queue(1), sharing.queue(2)));
    assertEquals(
        List.of("open 1/6 ROUND_ROBIN", "add 1/6 currTime - lastXmitTime >= " + gapNs(5_000_000)),
        sdd.commands);
    // Counted bytes go on where they were: what came since the report before is little.
    report(sharing, new long[] {WEB, much, much + 1, 1}, new long[] {BACKUP, much, much + 1, 1});
    assertEquals(60_000_000, sharing.rateBps(1, 0));
    assertEquals(39_000_000, sharing.rateBps(1, 1));
  }

  /** The host, which has not answered yet whether the queue is closed, may still have it. */
  @Test
  void theNumberOfAQueueThatIsBeingClosedIsNotUsedAnew() throws Exception {
    ClassSharing sharing = sharing("tree");
    sharing.replace(config("'classes': [{'name': 'other', 'flows': [{'protocol': 1}]}]").sharing());
    assertEquals(BACKUP + 1, sharing.queue(0));
    sharing.replace(config(classes("tree")).sharing());
    assertEquals(BACKUP + 2, sharing.queue(1));
    sessions.disconnect(1);
    sessions.reconnect(1);
    sharing.hostUp(host());
    assertEquals(Optional.of("web"), sharing.className(BACKUP + 2));
  }

  @Test
  void classesThatAHostHasNoRoomForAreRefused() throws Exception {
    ClassSharing sharing = sharing("tree");
    StringBuilder many = new StringBuilder();
    for (int i = 0; i <= FakeSessions.MAX_QUEUES - WEB; i++) {
      many.append(many.length() == 0 ? "" : ",")
          .append("{'name': 'c" + i + "', 'flows': [{'destinationPort': " + i + "}]}");
    }
    SharingConfig tooMany = config("'classes': [" + many + "]").sharing();
    String message =
        assertThrows(IllegalArgumentException.class, () -> sharing.replace(tooMany)).getMessage();
    assertEquals("h1 has 16 queues, and these classes need 20", message);
    assertEquals(Optional.of("backup"), sharing.className(BACKUP));
  }

  @Test
  void aHostMayHaveItsOwnNumbers() throws Exception {
    String overrides =
        ", 'overrides': [{'hosts': ['h0'], 'capacityBps': 1000},"
            + "{'hosts': ['h1'], 'capacityBps': 40000000,"
            + "'classes': [{'name': 'backup', 'weight': 1, 'ceilingBps': 4000000}]}]";
    ClassSharing sharing = upWith(classes("tree").replace("20000000", "1000") + overrides);
    long much = 10_000_000;
    report(sharing);
    report(sharing, new long[] {WEB, much, much, 0}, new long[] {BACKUP, much, much, 0});
    assertEquals(List.of(35_999_000L, 1_000L, 4_000_000L), rates(sharing));
  }

  @Test
  void whatWasSentIsMeasuredBesideWhatMayBe() throws Exception {
    ClassSharing sharing = sharing("tree");
    sessions.report(1, 0, 5_000_000_000L, new long[] {WEB, 0, 1_000, 1_000});
    sharing.demandReported(host());
    assertFalse(sharing.state(1, 1).orElseThrow().isMeasured());
    sessions.report(1, 1, 5_500_000_000L, new long[] {WEB, 7, 2_000_000, 1_500_000});
    sharing.demandReported(host());
    assertFalse(sharing.state(1, 1).orElseThrow().isMeasured());
    // Idle queues are in no report.
    sessions.report(1, 2, 7_000_000_000L);
    sharing.demandReported(host());
    ClassState web = sharing.state(1, 1).orElseThrow();
    assertEquals(1_999_000 * 8 / 2, web.arrivedBps());
    assertEquals(1_499_000 * 8 / 2, web.sentBps());
    assertEquals(0, web.queuedBytes());
    assertEquals(0, sharing.state(1, 2).orElseThrow().sentBps());
  }

  @Test
  void rcpKeepsToGuarantees() throws Exception {
    ClassSharing sharing =
        upWith(
            "'method': 'rcp', 'classes': ["
                + "{'name': 'web', 'guaranteedBps': 70000000, 'flows': [{'destinationPort': 80}]},"
                + "{'name': 'video', 'flows': [{'protocol': 17}]}]");
    long[] sent = new long[6];
    for (int i = 0; i < 500; i++) {
      report(
          sharing, row(sent, WEB, sharing.rateBps(1, 0)), row(sent, VIDEO, sharing.rateBps(1, 1)));
    }
    // Changes of less than a sixteenth are not worth a request; a guarantee is.
    assertTrue(sharing.rateBps(1, 0) >= 70_000_000, sharing.rateBps(1, 0) + " b/s");
    assertEquals(72e6, (double) sharing.rateBps(1, 0), 2.5e6);
    assertEquals(30e6, (double) sharing.rateBps(1, 1), 4e6);
  }

  /** All of the capacity to one that sends, half to each of two; within the video's ceiling. */
  @Test
  void rcpFindsTheFairRateWithoutDemand() throws Exception {
    ClassSharing sharing = sharing("rcp");
    long[] sent = new long[6];
    for (int i = 0; i < 500; i++) {
      report(
          sharing, row(sent, WEB, sharing.rateBps(1, 1)), row(sent, BACKUP, sharing.rateBps(1, 3)));
    }
    List<Long> rates = rates(sharing);
    assertEquals(50e6, rates.get(0), 4e6);
    assertEquals(rates.get(0), rates.get(2));
    assertEquals(20_000_000, rates.get(1));
    for (int i = 0; i < 500; i++) {
      report(sharing, row(sent, BACKUP, sharing.rateBps(1, 3)));
    }
    assertTrue(sharing.rateBps(1, 3) > 90_000_000, rates(sharing).toString());
  }

  /** What a class sends in a period of 10 ms at its rate. */
  private static long[] row(long[] sent, int queue, long rateBps) {
    sent[queue] += rateBps / 800;
    return new long[] {queue, 1_000_000, sent[queue] + 1_000_000, sent[queue]};
  }
}
