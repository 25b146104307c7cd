package org.evenweave.sdd.session;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.evenweave.sdd.protocol.Limits;
import org.evenweave.sdd.protocol.SessionTerms;
import org.evenweave.tls.AcceptFailures;
import org.evenweave.tls.Strangers;
import org.evenweave.tls.TlsIdentity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens for hosts and the circuit switch. */
public final class SessionServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SessionServer.class);

  /** Nothing older is spoken, with hosts and between controllers. */
  static final String PROTOCOL = "TLSv1.3";

  private static final int EVENT_LOOPS = 2;
  private static final long HANDSHAKE_SECONDS = 5;

  /** How many connections may be open whose other end has shown no certificate. */
  static final int MAX_UNPROVEN = 1024;

  private static final long LEAST_SILENCE_NS = 5_000_000_000L;

  /**
   * When requests are refused, in bytes the network has not taken: some of the longest messages.
   */
  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(2 * Limits.MAX_MESSAGE_BYTES, 8 * Limits.MAX_MESSAGE_BYTES);

  private final EventLoopGroup loops =
      new NioEventLoopGroup(EVENT_LOOPS, new DefaultThreadFactory("sdd-session", true));

  /** Accepts connections, so that a flood of them keeps no loop from its hosts. */
  private final EventLoopGroup acceptor =
      new NioEventLoopGroup(1, new DefaultThreadFactory("sdd-accept", true));

  private final Strangers strangers = new Strangers("sdd-tls", MAX_UNPROVEN);
  private final ChannelGroup proven = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final DatagramSender datagrams;
  private final Sessions sessions;
  private final Channel listening;

  /**
   * Starts to listen.
   *
   * @param address where clients connect; port 0 for any
   * @param tls the controller's side of TLS ({@link TlsIdentity})
   * @param leadership while this controller stands by, hosts and circuit switch wait
   * @param controllers have the connections of other controllers
   * @throws IOException if the address cannot be bound; nothing is left running then
   */
  public SessionServer(
      InetSocketAddress address,
      TlsIdentity tls,
      Directory directory,
      Edges edges,
      Leadership leadership,
      Controllers controllers,
      SessionTerms terms,
      SharedClock clock,
      SessionListener listener)
      throws IOException {
    try {
      datagrams = new DatagramSender(address);
    } catch (IOException e) {
      stop();
      throw cannotListen(address, e);
    }
    sessions = new Sessions(directory.count());
    SessionFactory sessionFactory =
        new SessionFactory(directory, edges, terms, sessions, datagrams);
    long silenceNs =
        Math.max(LEAST_SILENCE_NS, Math.multiplyExact(10, Math.min(terms.periodNs(), 1L << 40)));
    Supplier<ReadTimeoutHandler> silence =
        () -> new ReadTimeoutHandler(silenceNs, TimeUnit.NANOSECONDS);
    ChannelFuture bound =
        new ServerBootstrap()
            .group(acceptor, loops)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_REUSEADDR, true)
            .handler(
                strangers.arrivals(
                    (from, why) ->
                        sessionFactory.logs().of("").warn("{}: connection closed: {}", from, why)))
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    SslHandler security =
                        new SslHandler(
                            tls.serverEngine(TlsIdentity.Peer.MUST_PROVE, PROTOCOL),
                            strangers.handshake(channel));
                    security.handshakeFuture().addListener(done -> shown(channel, done));
                    security.setHandshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS);
                    channel
                        .pipeline()
                        .addLast(
                            security,
                            silence.get(),
                            frames(),
                            new SessionHandler(
                                CertifiedName::of,
                                sessionFactory,
                                leadership,
                                controllers,
                                silence,
                                clock,
                                listener));
                  }
                })
            .bind(address)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      datagrams.close();
      stop();
      throw cannotListen(address, bound.cause());
    }
    listening = bound.channel();
    AcceptFailures.reportTo(LOG::error, listening);
    tls.whenReloaded(() -> endRevoked(tls));
  }

  /** Ends the sessions whose certificates are revoked now. */
  private void endRevoked(TlsIdentity tls) {
    proven.close(
        channel -> {
          try {
            return tls.isRevoked(CertifiedName.certificate(channel.pipeline()));
          } catch (SSLPeerUnverifiedException e) {
            return false;
          }
        });
  }

  /** The certificates of those who are connected, by whose each is. */
  public Map<String, X509Certificate> certificates() {
    Map<String, X509Certificate> certificates = new TreeMap<>();
    for (Channel channel : proven) {
      try {
        certificates.put(
            "SDD client " + CertifiedName.of(channel.pipeline()),
            CertifiedName.certificate(channel.pipeline()));
      } catch (RefusedException | SSLPeerUnverifiedException e) {
        // It is being closed.
      }
    }
    return certificates;
  }

  /** A connection's TLS handshake is done. */
  private void shown(Channel channel, Future<?> handshake) {
    if (handshake.isSuccess()) {
      strangers.proved(channel);
      proven.add(channel);
    }
  }

  private static IOException cannotListen(InetSocketAddress address, Throwable cause) {
    String text = address.getAddress().getHostAddress() + ":" + address.getPort();
    return new IOException(text + " is not available for listening: " + cause.getMessage(), cause);
  }

  /** Cuts frames by their lengths and takes these off. */
  private static LengthFieldBasedFrameDecoder frames() {
    return new LengthFieldBasedFrameDecoder(
        ByteOrder.LITTLE_ENDIAN,
        Integer.BYTES + Limits.MAX_MESSAGE_BYTES,
        0,
        Integer.BYTES,
        0,
        Integer.BYTES,
        true);
  }

  /** Where clients connect; the port is the real one. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.localAddress();
  }

  /** Who is connected. */
  public Sessions sessions() {
    return sessions;
  }

  /** Stops listening and ends all sessions; the hosts fall back to their safe policy. */
  @Override
  public void close() {
    stop();
    datagrams.close();
  }

  private void stop() {
    acceptor.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    strangers.close();
  }
}
