package org.evenweave.standalone.openflow;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.net.SocketAddress;
import java.util.concurrent.Executor;
import org.evenweave.tls.ConnectionRate;
import org.evenweave.tls.Handshakes;
import org.evenweave.tls.WaitingConnections;

/**
 * Connections that have not become a switch's. Anyone who reaches the port can open them, so they
 * are limited in rate, in number, and in the TLS handshakes that are computed for them.
 * Thread-safe.
 */
final class Strangers implements AutoCloseable {
  /**
   * How many connections may be open that have not become a switch's. All switches of a fabric may
   * connect at once; a TLS session takes some 50 kB.
   */
  static final int MAX_UNPROVEN = 1024;

  private static final AttributeKey<Handshakes.Handshake> HANDSHAKE =
      AttributeKey.valueOf(Strangers.class, "HANDSHAKE");

  private final ConnectionRate rate = new ConnectionRate();
  private final WaitingConnections<Channel> unproven = new WaitingConnections<>();

  /** Beside the loops, so that connected switches need not wait for strangers' handshakes. */
  private final Handshakes handshakes = new Handshakes("openflow-tls");

  /** Whether one more connection from here may be set up. */
  boolean admits(SocketAddress from) {
    return rate.admits(from);
  }

  /**
   * A connection is open, which need not be registered yet; when there are too many, another is
   * closed.
   */
  void add(Channel channel) {
    Handshakes.Handshake handshake = handshakes.of(channel.remoteAddress());
    channel.attr(HANDSHAKE).set(handshake);
    unproven.add(channel, channel.remoteAddress());
    channel
        .closeFuture()
        .addListener(
            closed -> {
              unproven.remove(channel);
              handshake.end();
            });
    if (unproven.size() > MAX_UNPROVEN) {
      unproven.takeVictim().ifPresent(Strangers::close);
    }
  }

  private static void close(Channel victim) {
    if (victim.isRegistered()) {
      victim.close();
    } else {
      victim.unsafe().closeForcibly(); // Nothing has been set up for it.
    }
  }

  /** Computes the TLS handshake of a connection that was added. */
  Executor handshake(Channel channel) {
    return channel.attr(HANDSHAKE).get();
  }

  /** A connection has become a switch's. */
  void proved(Channel channel) {
    unproven.remove(channel);
    Handshakes.Handshake handshake = channel.attr(HANDSHAKE).get();
    if (handshake != null) {
      handshake.proved();
    }
  }

  @Override
  public void close() {
    handshakes.close();
  }
}
