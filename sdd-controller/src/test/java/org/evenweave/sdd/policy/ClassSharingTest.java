package org.evenweave.sdd.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.config.SddConfigReader;
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
  private ClassSharing sharing(String method) throws Exception {
    String json =
        "{'hosts': ['h0', 'h1'], 'sharing': {'method': '"
            + method
            + "', 'capacityBps': 100000000, 'packetBytes': 1250, 'classes': ["
            + "{'name': 'tenant', 'weight': 3},"
            + "{'name': 'web', 'in': 'tenant', 'flows': [{'destinationPort': 80}]},"
            + "{'name': 'video', 'in': 'tenant', 'ceilingBps': 20000000, 'flows': [{'protocol': 17}]},"
            + "{'name': 'backup', 'flows': [{'destinationPort': 873}]}]}}";
    SddConfig config =
        SddConfigReader.read(
            json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), Path.of("/"));
    ClassSharing sharing =
        new ClassSharing(config.sharing().orElseThrow(), config.network().weekNs(), WEB, sdd);
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
