package org.evenweave.tls;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.util.AttributeKey;
import java.net.SocketAddress;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/**
 * The connections of a listener whose other ends have not authenticated. Anyone who reaches the
 * port can open them, so they are limited in rate, in number, and in the TLS handshakes that are
 * computed for them. Thread-safe.
 */
public final class Strangers implements AutoCloseable {
  private static final AttributeKey<Handshakes.Handshake> HANDSHAKE =
      AttributeKey.valueOf(Strangers.class, "HANDSHAKE");

  private final ConnectionRate rate = new ConnectionRate();
  private final WaitingConnections<Channel> unproven = new WaitingConnections<>();
  private final int most;

  /** Beside the loops, so that those who have authenticated need not wait for strangers. */
  private final Handshakes handshakes;

  /**
   * @param name of the thread that computes handshakes
   * @param most how many may be open; of TLS sessions each takes some 50 kB
   */
  public Strangers(String name, int most) {
    handshakes = new Handshakes(name);
    this.most = most;
  }

  /**
   * The handler of a listener that takes up its connections, and refuses those of a host that opens
   * too many. Without it all must be added.
   *
   * @param refused told of each refused connection: where it came from, and why
   */
  public ChannelHandler arrivals(BiConsumer<SocketAddress, String> refused) {
    return new ArrivalGuard(this, refused);
  }

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
    if (unproven.size() > most) {
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
  public Executor handshake(Channel channel) {
    return channel.attr(HANDSHAKE).get();
  }

  /** The other end has authenticated, so that the connection counts for no limit any more. */
  public void proved(Channel channel) {
    unproven.remove(channel);
    Handshakes.Handshake handshake = channel.attr(HANDSHAKE).getAndSet(null);
    if (handshake != null) {
      handshake.proved();
      rate.giveBack(channel.remoteAddress());
    }
  }

  @Override
  public void close() {
    handshakes.close();
  }
}
