package org.evenweave.sdd.loop;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.evenweave.sdd.session.FakeSessions;
import org.junit.jupiter.api.Test;

class ControlPacketsTest {
  private static final long GUARD_NS = 1_000;

  private final FakeSessions fake = new FakeSessions(3);
  private final ControlPackets packets =
      new ControlPackets(fake.sessions(), GUARD_NS, FakeSessions.directory(3));

  @Test
  void onlyACommandedHostWithTheSameSessionGotItsStart() {
    fake.takeDatagrams();
    fake.clock(0, 0);
    fake.clock(1, 0);
    packets.until(100);
    for (int host = 0; host < 3; host++) {
      packets.start(host, (host + 1) % 3);
    }
    fake.reconnect(0);
    packets.flush(1, 0);
    assertFalse(packets.sent(0), "its commands were for the session before");
    assertTrue(packets.sent(1));
    assertFalse(packets.sent(2), "nobody knows its clock");
  }

  @Test
  void aStartThatTheNetworkDidNotTakeIsNotSent() {
    fake.loseDatagrams();
    fake.clock(0, 0);
    packets.until(100);
    packets.start(0, 1);
    packets.flush(1, 0);
    assertFalse(packets.sent(0));
  }

  @Test
  void whatWasSentIsForgottenWithTheNextStarts() {
    fake.takeDatagrams();
    fake.clock(0, 0);
    packets.until(100);
    packets.start(0, 1);
    packets.flush(1, 0);
    assertTrue(packets.sent(0));
    packets.until(200);
    packets.flush(1, 100);
    assertFalse(packets.sent(0));
  }
}
