package org.evenweave.sdd.session;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends datagrams at once from the calling thread: a START is late as soon as it waits in a queue.
 */
final class DatagramSender implements AutoCloseable {
  private final Network network;

  /** What takes the datagrams. */
  interface Network extends Closeable {
    /** Sends what remains of the buffer; 0 if it cannot go at once. */
    int send(ByteBuffer datagram, InetSocketAddress to) throws IOException;
  }

  DatagramSender(Network network) {
    this.network = network;
  }

  /**
   * @param from the address that datagrams come from; any port
   */
  DatagramSender(InetSocketAddress from) throws IOException {
    this(socket(from));
  }

  private static Network socket(InetSocketAddress from) throws IOException {
    boolean ipv4 = from.getAddress().getAddress().length == 4;
    DatagramChannel channel =
        DatagramChannel.open(ipv4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
    try {
      channel.configureBlocking(false);
      channel.bind(new InetSocketAddress(from.getAddress(), 0));
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    return new Network() {
      @Override
      public int send(ByteBuffer datagram, InetSocketAddress to) throws IOException {
        return channel.send(datagram, to);
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }

  /**
   * One host.
   *
   * @param bytes where its datagrams are, from 0 on
   */
  Destination to(InetSocketAddress address, byte[] bytes) {
    return new Destination(address, ByteBuffer.wrap(bytes));
  }

  /** Where one host's datagrams go. One thread at a time. */
  final class Destination {
    private final InetSocketAddress address;
    private final ByteBuffer buffer;
    private final AtomicLong unsent = new AtomicLong();

    private Destination(InetSocketAddress address, ByteBuffer buffer) {
      this.address = address;
      this.buffer = buffer;
    }

    /** Sends the first bytes; what cannot go at once is lost, as any datagram may be. */
    void send(int length) {
      buffer.clear().limit(length);
      try {
        if (network.send(buffer, address) == 0) {
          unsent.incrementAndGet();
        }
      } catch (IOException e) {
        // For instance "connection refused" of the datagram before, while a host restarts.
        unsent.incrementAndGet();
      }
    }

    long unsent() {
      return unsent.get();
    }
  }

  @Override
  public void close() {
    try {
      network.close();
    } catch (IOException e) {
      throw new IllegalStateException("a datagram socket did not close", e);
    }
  }
}
