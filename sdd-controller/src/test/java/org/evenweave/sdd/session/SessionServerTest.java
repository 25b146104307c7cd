package org.evenweave.sdd.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.evenweave.sdd.protocol.ClientFrames;
import org.evenweave.sdd.protocol.FlowMatch;
import org.evenweave.sdd.protocol.QueueConfig;
import org.evenweave.sdd.protocol.wire.CircuitConfigureDecoder;
import org.evenweave.sdd.protocol.wire.Reason;
import org.evenweave.sdd.protocol.wire.Status;
import org.evenweave.sdd.protocol.wire.TriggerTarget;
import org.evenweave.sdd.protocol.wire.WelcomeDecoder;
import org.junit.jupiter.api.Test;

/** What a session carries: requests, reports and control packets. */
class SessionServerTest extends SessionFixture {
  // ---- The API

  @Test
  void requestsAreAnsweredInTheirFutures() throws Exception {
    try (FakeHost host = bed.host(0)) {
      SessionBed.await("session", () -> session(0) != null);
      SddHost api = session(0);
      get(api.createQueue(1, QueueConfig.open().closedByDefault()));
      get(api.mapFlow(1, FlowMatch.all().to(InetAddress.getByName("10.0.0.9"), 32), 0));
      get(api.addDequeueCondition(1, "currTime > 5"));
      assertEquals(5, get(api.addTrigger(1, TriggerTarget.CONTROLLER, 9, "bytes > 1")).value());
      assertEquals(2, get(api.getQueuesForFlows(FlowMatch.all())).queues()[1]);
      List<QueueState> states = get(api.queryQueues(0, 10));
      assertEquals(3, states.size());
      assertEquals(30_002, states.get(2).queuedBytes());
      assertEquals(
          List.of("create 1 CIRCUIT", "map 9 to 1", "condition 1 currTime > 5"),
          host.requests.subList(0, 3));
    }
  }

  @Test
  void aBadConditionFailsWithItsPosition() throws Exception {
    try (FakeHost host = bed.host(0)) {
      SessionBed.await("session", () -> session(0) != null);
      ExecutionException failure =
          assertThrows(
              ExecutionException.class,
              () -> get(session(0).addDequeueCondition(1, "currTime ? 5")));
      assertEquals(
          "h0: CONDITION at byte 9: \"?\" is not in the grammar", failure.getCause().getMessage());
      assertNull(host.refusal());
    }
  }

  @Test
  void whenTheHostGoesItsRequestsFail() throws Exception {
    HostSession gone;
    try (FakeHost host = bed.host(0)) {
      SessionBed.await("session", () -> session(0) != null);
      gone = session(0);
      assertNull(host.refusal());
    }
    SessionBed.await("end", () -> session(0) == null);
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> get(gone.removeQueue(1)));
    assertTrue(failure.getCause() instanceof RequestException, failure.toString());
  }

  @Test
  void argumentsOutOfRangeAreRefusedHere() throws Exception {
    try (FakeHost host = bed.host(0)) {
      SessionBed.await("session", () -> session(0) != null);
      SddHost api = session(0);
      assertThrows(IllegalArgumentException.class, () -> api.removeQueue(65_535));
      assertThrows(IllegalArgumentException.class, () -> api.addDequeueCondition(1, ""));
      assertThrows(IllegalArgumentException.class, () -> api.queryQueues(0, 0));
      assertThrows(IllegalArgumentException.class, () -> api.mapFlow(1, FlowMatch.all(), 8));
      assertEquals(List.of(), host.requests);
    }
  }

  @Test
  void whatAHostSaysIsThereToSee() throws Exception {
    try (FakeHost host = bed.host(0)) {
      host.report(17, new long[] {2, 3000, 4000, 1000});
      host.send(ClientFrames.missed(17, 5, new long[] {2, 3, 4, 70}, new long[] {1, 1, 0, 0}));
      host.send(ClientFrames.missed(18, 6, new long[] {2, 5, 4, 70}));
      host.send(ClientFrames.policyChanged(7, true, Reason.CLOCK_OFF));
      host.send(ClientFrames.triggerFired(1, 2, 99, 8));
      SessionBed.await("trigger", () -> bed.events.contains("trigger h0 99"));
      assertTrue(bed.events.contains("demand h0 17"));
      assertEquals(3000, session(0).demand().queuedBytes(0));
      assertEquals(6, session(0).misses().packetsOutOfSlot());
      assertEquals(4, session(0).misses().lateStarts());
      assertEquals(Reason.CLOCK_OFF, session(0).fallback());
      host.send(ClientFrames.policyChanged(9, false, Reason.NONE));
      SessionBed.await("return", () -> session(0).fallback() == Reason.NONE);
    }
  }

  // ---- Control packets

  @Test
  void startsAndStopsArriveAndReplaysDoNotCount() throws Exception {
    try (FakeHost host = bed.host(0)) {
      SessionBed.await("session", () -> session(0) != null);
      SddHost api = session(0);
      api.start(1, 1234);
      api.stop(2);
      api.flush(7, 8);
      SessionBed.await("commands", () -> host.commands.size() == 2);
      assertEquals(1, host.commands.get(0).queue);
      assertEquals(1234, host.commands.get(0).untilNs);
      assertFalse(host.commands.get(1).start);
      assertEquals(1, host.window().highest());

      byte[] changed = host.lastDatagram().clone();
      changed[20] ^= 1;
      byte[] cut = Arrays.copyOf(host.lastDatagram(), 15);
      List<byte[]> attacks = List.of(host.lastDatagram(), changed, cut, new byte[70]);
      try (DatagramSocket attacker = new DatagramSocket()) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        for (byte[] attack : attacks) {
          attacker.send(new DatagramPacket(attack, attack.length, loopback, host.datagramPort()));
        }
      }
      SessionBed.await("refusals", () -> host.refused() == attacks.size());
      assertEquals(2, host.commands.size());
    }
  }

  @Test
  void lossesAreCountedByTheHostAndReportedBack() throws Exception {
    try (FakeHost host = bed.host(0)) {
      SessionBed.await("session", () -> session(0) != null);
      host.lose = arrival -> arrival % 3 == 0;
      for (int i = 0; i < 10; i++) {
        session(0).flush(i, i);
      }
      SessionBed.await("datagrams", () -> host.window().highest() == 10);
      host.report(1);
      SessionBed.await("report", () -> session(0).demand() != null);
      assertEquals(10, session(0).datagramsSent());
      assertEquals(10, session(0).demand().highestSequence());
      assertEquals(3, session(0).demand().datagramsLost());
    }
  }

  @Test
  void theCircuitSwitchGetsConfigurationsByPort() throws Exception {
    // Ports in another order than hosts.
    try (FakeClient client = bed.greeting("cs", ClientFrames.switchHello("cs", "h2", "h1", "h0"))) {
      assertEquals(WelcomeDecoder.TEMPLATE_ID, client.receive().template);
      SessionBed.await("session", () -> bed.server.sessions().circuitSwitch() != null);
      CircuitSession session = bed.server.sessions().circuitSwitch();
      session.configure(new int[] {1, -1, 0}, 77, 88);
      FakeClient.Message message = client.receive();
      assertEquals(CircuitConfigureDecoder.TEMPLATE_ID, message.template);
      CircuitConfigureDecoder configure =
          new CircuitConfigureDecoder()
              .wrap(
                  message.buffer,
                  message.at.bodyOffset(),
                  message.at.blockLength(),
                  message.at.version());
      assertEquals(77, configure.atNs());
      assertEquals(88, configure.nightNs());
      StringBuilder circuits = new StringBuilder();
      for (CircuitConfigureDecoder.CircuitsDecoder circuit : configure.circuits()) {
        circuits.append(circuit.inputPort()).append('>').append(circuit.outputPort()).append(' ');
      }
      assertEquals("0>2 2>1 ", circuits.toString());
      client.send(ClientFrames.reply(configure.requestId(), Status.OK, 0, 0, ""));
      client.send(ClientFrames.circuitStats(9, 3, 1, new long[] {0, 1, 2, 3, 4, 5, 6, 7}));
      SessionBed.await("totals", () -> session.totals().configurations() == 3);
      assertEquals(6, session.totals().byPort().get(0).droppedOutOfSlot());
      assertNotNull(bed.server.sessions().circuitSwitch());
    }
  }
}
