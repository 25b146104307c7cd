package org.evenweave.sdd.session;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.timeout.ReadTimeoutHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ObjIntConsumer;
import org.evenweave.sdd.protocol.EdgeOrder;
import org.evenweave.sdd.protocol.Frame;
import org.evenweave.sdd.protocol.SessionTerms;
import org.evenweave.sdd.protocol.wire.Clock;
import org.evenweave.sdd.protocol.wire.SafePolicy;

/**
 * A controller's sessions in virtual time: connections without a network, and of whatever name a
 * test says.
 */
public final class VirtualServer implements AutoCloseable {
  private static final long NEVER_SECONDS = 1_000_000_000;

  private final Leadership leadership;
  private final Sessions sessions;
  private final SessionFactory sessionFactory;
  private final DatagramSender datagrams;
  private final SharedClock clock;
  private final SessionListener listener;
  private final List<Connection> connections = new ArrayList<>();
  private boolean isClosed;

  /**
   * @param edges who may connect as an edge, too
   * @param nowNs the shared clock
   * @param datagrams takes each datagram and the port that it is for
   */
  public VirtualServer(
      Directory directory,
      List<String> edges,
      long periodNs,
      LongSupplier nowNs,
      Leadership.Listener changes,
      SessionListener listener,
      ObjIntConsumer<byte[]> datagrams) {
    this.listener = listener;
    this.clock =
        new SharedClock() {
          @Override
          public long nowNs() {
            return nowNs.getAsLong();
          }

          @Override
          public Clock kind() {
            return Clock.MONOTONIC;
          }
        };
    leadership = new Leadership(nowNs, directory.clients(), changes);
    sessions = new Sessions(directory.count());
    this.datagrams =
        new DatagramSender(
            new DatagramSender.Network() {
              @Override
              public int send(ByteBuffer datagram, InetSocketAddress to) {
                byte[] bytes = new byte[datagram.remaining()];
                datagram.get(bytes);
                datagrams.accept(bytes, to.getPort());
                return bytes.length;
              }

              @Override
              public void close() {
                // There is no socket.
              }
            });
    sessionFactory =
        new SessionFactory(
            directory,
            new Edges(edges, Map.of(), EdgeOrder.of(JsonNodeFactory.instance.objectNode())),
            new SessionTerms(Clock.MONOTONIC, 0, periodNs, 1_000, 20, 10, SafePolicy.OPEN, 0, 0),
            sessions,
            this.datagrams);
  }

  public Leadership leadership() {
    return leadership;
  }

  public Sessions sessions() {
    return sessions;
  }

  /** One that a client has opened. */
  public final class Connection {
    private final EmbeddedChannel channel;

    private Connection(String certified) {
      channel =
          new EmbeddedChannel() {
            @Override
            protected SocketAddress remoteAddress0() {
              return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
            }
          };
      channel.freezeTime();
      channel
          .pipeline()
          .addLast(
              new ReadTimeoutHandler(NEVER_SECONDS, TimeUnit.SECONDS),
              new SessionHandler(
                  pipeline -> certified,
                  sessionFactory,
                  leadership,
                  null,
                  () -> new ReadTimeoutHandler(NEVER_SECONDS, TimeUnit.SECONDS),
                  clock,
                  listener));
      // What a channel does that becomes active: this one has been since it was made.
      channel.pipeline().fireChannelActive();
    }

    public void send(Frame frame) {
      send(frame.bytes());
    }

    /** Whatever it is. */
    public void send(byte[] message) {
      if (channel.isActive()) {
        channel.writeInbound(Unpooled.wrappedBuffer(message));
      }
    }

    /** The next message without its length, or null. */
    public byte[] receive() {
      ByteBuf framed = channel.readOutbound();
      if (framed == null) {
        return null;
      }
      byte[] message = new byte[framed.skipBytes(Integer.BYTES).readableBytes()];
      framed.readBytes(message).release();
      return message;
    }

    public boolean isUp() {
      return channel.isActive();
    }

    public void close() {
      channel.close();
      channel.runPendingTasks();
      channel.releaseOutbound();
    }
  }

  /** Opens one as who has this name in its certificate. */
  public Connection connect(String certified) {
    Connection connection = new Connection(certified);
    connections.add(connection);
    if (isClosed) {
      connection.close();
    }
    return connection;
  }

  /** What is due has happened when this returns. */
  public void advance(long ns) {
    connections.stream().filter(connection -> !connection.isUp()).forEach(Connection::close);
    connections.removeIf(connection -> !connection.isUp());
    for (Connection connection : List.copyOf(connections)) {
      connection.channel.advanceTimeBy(ns, TimeUnit.NANOSECONDS);
      connection.channel.runPendingTasks();
    }
    for (Connection connection : List.copyOf(connections)) {
      connection.channel.runPendingTasks();
    }
  }

  @Override
  public void close() {
    isClosed = true;
    connections.forEach(Connection::close);
    datagrams.close();
  }
}
