package org.evenweave.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ArrivalGuardTest {
  /** More than a host may open in the time that this takes. */
  private static final int VERY_MANY = 1_000_000;

  private static final int MOST = 8;

  private final Strangers strangers = new Strangers("arrivals-tls", MOST);
  private final List<String> refused = new ArrayList<>();
  private final EmbeddedChannel listener =
      new EmbeddedChannel(strangers.arrivals((from, why) -> refused.add(from + " " + why)));

  @AfterEach
  void stop() {
    strangers.close();
  }

  /** A connection that has arrived; it is closed if it was refused. */
  private EmbeddedChannel arrive(String host) {
    EmbeddedChannel connection =
        new EmbeddedChannel() {
          @Override
          protected SocketAddress remoteAddress0() {
            return new InetSocketAddress(host, 4242);
          }
        };
    listener.writeInbound(connection);
    assertEquals(listener.readInbound() != null, connection.isOpen());
    return connection;
  }

  @Test
  void aHostThatOpensTooManyIsRefusedAndOthersAreNot() {
    int accepted = 0;
    while (accepted < VERY_MANY && arrive("10.0.0.9").isOpen()) {
      accepted++;
    }
    assertTrue(accepted >= ConnectionRate.AT_ONCE && accepted < VERY_MANY, accepted + " accepted");
    assertEquals(
        List.of("/10.0.0.9:4242 its host opens more than 50 connections a second"), refused);
    assertTrue(arrive("10.0.0.1").isOpen());
  }

  @Test
  void connectionsWhoseOtherEndAuthenticatesAreNotLimited() {
    for (int i = 0; i < 10 * ConnectionRate.AT_ONCE; i++) {
      EmbeddedChannel connection = arrive("10.0.0.9");
      strangers.proved(connection);
      strangers.proved(connection); // as a second request does
      assertTrue(connection.isOpen());
    }
    assertEquals(List.of(), refused);
  }

  @Test
  void whoOpensMoreThanTheMostLosesTheOldest() {
    EmbeddedChannel other = arrive("10.0.0.1");
    List<EmbeddedChannel> many = new ArrayList<>();
    for (int i = 0; i < MOST; i++) {
      many.add(arrive("10.0.0.9"));
    }
    assertTrue(other.isOpen());
    for (int i = 0; i < MOST; i++) {
      assertEquals(i > 0, many.get(i).isOpen());
    }
  }

  @Test
  void aConnectionThatCannotBeAcceptedIsReported() {
    List<String> reports = new ArrayList<>();
    AcceptFailures.reportTo(reports::add, listener);
    listener.pipeline().fireExceptionCaught(new IOException("Too many open files"));
    listener.checkException();
    assertEquals(List.of("embedded accepts no connection: Too many open files"), reports);
  }
}
