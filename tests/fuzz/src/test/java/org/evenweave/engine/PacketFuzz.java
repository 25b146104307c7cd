package org.evenweave.engine;

import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.wcmp.fabric.Fabrics;

/** Frames that a host sends to the controller: ARP, IPv4, RARP, ICMP and anything else. */
public final class PacketFuzz extends EngineFixture {
  private static final long PAUSE_NANOS = 10_000_000L;
  private static final long SEED = 1;
  private static final PacketFuzz ENGINE = new PacketFuzz();

  static {
    ENGINE.start(Fabrics.figure32(), SEED);
  }

  private PacketFuzz() {}

  /** For Jazzer. */
  public static void fuzzerTestOneInput(byte[] frame) {
    ENGINE.network.packetIn("s1-0", FakeNetwork.HOST_PORT, frame);
    ENGINE.loop.runFor(PAUSE_NANOS);
  }
}
