package org.evenweave.sdd.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.evenweave.sdd.protocol.ClientFrames;
import org.evenweave.sdd.protocol.wire.LeadershipDecoder;
import org.evenweave.sdd.protocol.wire.RefusedDecoder;
import org.evenweave.sdd.protocol.wire.WelcomeDecoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients of a controller that stands by. */
class StandbyTest {
  @TempDir static Path temporary;

  private static long generation(FakeClient.Message message) {
    assertEquals(LeadershipDecoder.TEMPLATE_ID, message.template);
    return new LeadershipDecoder()
        .wrap(
            message.buffer, message.at.bodyOffset(), message.at.blockLength(), message.at.version())
        .generation();
  }

  @Test
  void aHostWaitsForItsWelcomeUntilItHearsNobodyElse() throws Exception {
    try (SessionBed bed = new SessionBed(temporary, false);
        FakeClient host = bed.greeting("h0", ClientFrames.hostHello("h0", 1, 1_000_000, 9, 1))) {
      assertEquals(0, generation(host.receiveAny()));
      host.send(ClientFrames.following(77, true));
      // It is asked again and again, for longer than anyone may be silent.
      for (int i = 0; i < 7; i++) {
        assertEquals(0, generation(host.receiveAny()));
        host.send(ClientFrames.following(77, true));
      }
      assertEquals(List.of(), bed.events);
      host.send(ClientFrames.following(77, false));
      FakeClient.Message next = host.receiveAny();
      while (generation(next) == 0) {
        next = host.receiveAny();
      }
      assertTrue(generation(next) > 77);
      assertEquals(WelcomeDecoder.TEMPLATE_ID, host.receiveAny().template);
      SessionBed.await("session", () -> bed.events.contains("up h0"));
    }
  }

  @Test
  void aLeaderThatWasOvertakenLearnsItFromAClient() throws Exception {
    try (SessionBed bed = new SessionBed(temporary, true);
        FakeClient client = bed.greeting("cs", ClientFrames.switchHello("cs", "h0", "h1", "h2"))) {
      assertTrue(generation(client.receiveAny()) > 0);
      assertEquals(WelcomeDecoder.TEMPLATE_ID, client.receiveAny().template);
      client.send(ClientFrames.following(System.nanoTime(), true));
      SessionBed.await("its end", () -> !bed.leadership.leads());
      assertEquals(1, bed.leadership.waiting());
    }
  }

  /** It follows another one by itself: it waits, and nobody else notices. */
  @Test
  void aHostThatDeclinesItsWelcomeWaits() throws Exception {
    try (SessionBed bed = new SessionBed(temporary, true);
        FakeHost other = bed.host(1);
        FakeClient host = bed.greeting("h0", ClientFrames.hostHello("h0", 1, 1_000_000, 9, 1))) {
      long generation = generation(host.receiveAny());
      assertEquals(WelcomeDecoder.TEMPLATE_ID, host.receiveAny().template);
      host.send(ClientFrames.following(Long.MAX_VALUE - 1, true));
      SessionBed.await("its end", () -> bed.events.contains("down h0"));
      assertEquals(generation, generation(host.receiveAny()));
      assertEquals(1, bed.leadership.waiting());
      assertEquals(generation, bed.leadership.generation());
      assertNull(other.refusal());
      assertEquals(1, bed.server.sessions().connected());
    }
  }

  @Test
  void inItsSessionAHostMayNotSayWhomItFollows() throws Exception {
    try (SessionBed bed = new SessionBed(temporary, true);
        FakeHost other = bed.host(1);
        FakeHost host = bed.host(0)) {
      SessionBed.await("sessions", () -> bed.server.sessions().connected() == 2);
      // Before its first report it may decline its welcome.
      SessionBed.await("a report", () -> bed.server.sessions().host(0).clock() != null);
      host.send(ClientFrames.following(bed.leadership.generation() + 1, true));
      assertTrue(host.awaitEnd());
      assertTrue(bed.leadership.leads());
      assertNull(other.refusal());
    }
  }

  @Test
  void whoWouldBeRefusedIsRefusedAtOnceAndHasNoSay() throws Exception {
    try (SessionBed bed = new SessionBed(temporary, false);
        FakeClient stranger =
            bed.greeting("stranger", ClientFrames.hostHello("stranger", 1, 1_000_000, 9, 1))) {
      assertEquals(RefusedDecoder.TEMPLATE_ID, stranger.receiveAny().template);
      assertNull(stranger.receiveAny());
      assertEquals(0, bed.leadership.waiting());
    }
  }
}
