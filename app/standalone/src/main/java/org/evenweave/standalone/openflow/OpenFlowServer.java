package org.evenweave.standalone.openflow;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.evenweave.tls.AcceptFailures;
import org.evenweave.tls.Strangers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens for switches. */
final class OpenFlowServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OpenFlowServer.class);

  private static final int MAX_EVENT_LOOPS = 4;

  /**
   * When programming pauses and packets are dropped, in bytes not yet taken by the network. Above
   * what a window of 256-bucket groups takes (0.7 MB), so that only a switch that does not read
   * gets there.
   */
  static final int MAX_UNREAD_BYTES = 1 << 20;

  /**
   * What of a switch may wait in the kernel. A flood of packets fills it, and what comes behind
   * them, a port that goes down, waits for as much: some 800 packets. Beyond that the switch keeps
   * the packets, and drops them.
   */
  private static final int RECEIVE_BUFFER_BYTES = 1 << 17;

  /** What is read of one switch before it is the others' turn. */
  private static final int MAX_READ_BYTES = 1 << 14;

  static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(MAX_UNREAD_BYTES / 2, MAX_UNREAD_BYTES);

  private final EventLoopGroup loops =
      new NioEventLoopGroup(
          Math.min(MAX_EVENT_LOOPS, Runtime.getRuntime().availableProcessors()),
          new DefaultThreadFactory("openflow", true));

  /** Accepts connections, so that a flood of them keeps no loop from its switches. */
  private final EventLoopGroup acceptor =
      new NioEventLoopGroup(1, new DefaultThreadFactory("openflow-accept", true));

  private final Strangers strangers;
  private final Channel listening;

  /**
   * Starts to listen.
   *
   * @throws IOException if the address cannot be bound; nothing is left running then
   */
  OpenFlowServer(InetSocketAddress address, ChannelSettings settings) throws IOException {
    strangers = settings.strangers;
    ChannelFuture bound =
        new ServerBootstrap()
            .group(acceptor, loops)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_REUSEADDR, true)
            .option(ChannelOption.SO_RCVBUF, RECEIVE_BUFFER_BYTES)
            .handler(
                strangers.arrivals(
                    (from, why) -> settings.closings.ofOther(String.valueOf(from), from, why)))
            .childOption(
                ChannelOption.RCVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(64, 2048, MAX_READ_BYTES).maxMessagesPerRead(1))
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    if (settings.tls != null) {
                      Executor handshake = strangers.handshake(channel);
                      channel.pipeline().addLast(settings.tls.handler(settings.timeout, handshake));
                    }
                    addHandlers(channel.pipeline(), settings);
                  }
                })
            .bind(address)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      close();
      throw new IOException(bound.cause().getMessage(), bound.cause());
    }
    listening = bound.channel();
    AcceptFailures.reportTo(LOG::error, listening);
  }

  /** All that one switch's channel needs besides TLS. */
  static void addHandlers(ChannelPipeline pipeline, ChannelSettings settings) {
    Dialect dialect = new Dialect();
    MessageDecoder decoder = new MessageDecoder(dialect);
    pipeline.addLast(
        decoder,
        new MessageEncoder(dialect),
        new UnreadGuard(settings.timeout),
        new SwitchHandler(decoder, dialect, settings));
  }

  /** The threads that handle what switches send. */
  Iterable<EventExecutor> threads() {
    return loops;
  }

  InetSocketAddress address() {
    return (InetSocketAddress) listening.localAddress();
  }

  /** Closes the listener and every connection; each that was up still reports that it is down. */
  @Override
  public void close() {
    acceptor.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    strangers.close();
  }
}
