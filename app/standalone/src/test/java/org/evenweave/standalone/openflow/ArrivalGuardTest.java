package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import org.evenweave.tls.ConnectionRate;
import org.junit.jupiter.api.Test;

class ArrivalGuardTest {
  /** More than a host may open in the time that this takes. */
  private static final int VERY_MANY = 1_000_000;

  private final EmbeddedChannel listener =
      new EmbeddedChannel(
          new ArrivalGuard(
              new ChannelSettings(
                  id -> "s" + id,
                  Duration.ofSeconds(5),
                  Runnable::run,
                  null,
                  MasterRule.CLAIM,
                  null)));

  /** Whether it is set up. */
  private boolean accepts(String host) {
    EmbeddedChannel connection =
        new EmbeddedChannel() {
          @Override
          protected SocketAddress remoteAddress0() {
            return new InetSocketAddress(host, 4242);
          }
        };
    listener.writeInbound(connection);
    Object accepted = listener.readInbound();
    assertEquals(accepted != null, connection.isOpen());
    return accepted != null;
  }

  @Test
  void aHostThatOpensTooManyIsRefusedAndOthersAreNot() {
    int accepted = 0;
    while (accepted < VERY_MANY && accepts("10.0.0.9")) {
      accepted++;
    }
    assertTrue(accepted >= ConnectionRate.AT_ONCE && accepted < VERY_MANY, accepted + " accepted");
    assertTrue(accepts("10.0.0.1"));
  }
}
