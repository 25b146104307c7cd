package org.evenweave.standalone.http;

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
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.evenweave.engine.rest.RestResources;
import org.evenweave.engine.rest.SameSite;
import org.evenweave.standalone.access.AccessControl;
import org.evenweave.tls.AcceptFailures;
import org.evenweave.tls.Strangers;
import org.evenweave.tls.TlsIdentity;
import org.evenweave.web.PageResource;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves JAX-RS resources under {@value #ROOT}. Every error, also one about a path outside, is
 * {@code {"error": "..."}} with its status, and never a stack trace.
 *
 * <p>Requests are gathered without holding a thread, within {@link HttpLimits}; whole ones are
 * answered by a few threads, of which a stream of events holds one for as long as it lasts.
 */
public final class HttpApi implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpApi.class);

  /** The path all resources are under. */
  public static final String ROOT = "/evenweave";

  /** Served at the top too, where programs look for them. */
  private static final Set<String> AT_TOP = Set.of("/metrics", "/openapi.json");

  private static final long CLOSE_GRACE_SECONDS = 1;
  private static final int EVENT_LOOPS = 2;

  /** A server should take at least 8,000 octets (RFC 9112, section 3). */
  private static final int LONGEST_LINE = 16 << 10;

  private static final int LONGEST_HEADERS = 16 << 10;
  private static final int CHUNK = 8 << 10;
  private static final int WORKERS = 16;
  private static final int WAITING_REQUESTS = 256;

  /** What a stream's client may leave unread. */
  private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(1 << 19, 1 << 20);

  private final EventLoopGroup loops =
      new NioEventLoopGroup(EVENT_LOOPS, new DefaultThreadFactory("http-io", true));

  /**
   * Accepts connections by TLS, so that a flood of them keeps no loop from its clients. In plain
   * HTTP nothing is limited before the loops, so they accept as fast as they serve.
   */
  private final EventLoopGroup acceptor =
      new NioEventLoopGroup(1, new DefaultThreadFactory("http-accept", true));

  /** Of connections by TLS. */
  private final Strangers strangers;

  private final ThreadPoolExecutor workers =
      new ThreadPoolExecutor(
          WORKERS,
          WORKERS,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(WAITING_REQUESTS),
          new DefaultThreadFactory("http", true));
  private final ChannelGroup secured = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final FailureLog failures = new FailureLog(System::nanoTime);
  private final Channel listening;
  private final String host;
  private final String scheme;

  /** Starts to listen for everybody, in plain HTTP. */
  public HttpApi(InetSocketAddress address, Set<Object> resources, Collection<String> names)
      throws IOException {
    this(address, resources, names, null, AccessControl.OPEN, HttpLimits.DEFAULT);
  }

  /**
   * Starts to listen.
   *
   * @param resources JAX-RS singletons; they write their JSON as strings
   * @param names host names by which clients may call the server, besides localhost, the one it
   *     listens on, and any address
   * @param tls null to speak plain HTTP
   * @param accessControl decides who may do what
   * @throws IOException if the address cannot be bound; nothing is left running then
   */
  public HttpApi(
      InetSocketAddress address,
      Set<Object> resources,
      Collection<String> names,
      TlsIdentity tls,
      AccessControl accessControl)
      throws IOException {
    this(address, resources, names, tls, accessControl, HttpLimits.DEFAULT);
  }

  HttpApi(
      InetSocketAddress address,
      Set<Object> resources,
      Collection<String> names,
      TlsIdentity tls,
      AccessControl accessControl,
      HttpLimits limits)
      throws IOException {
    scheme = tls == null ? "http" : "https";
    host = address.getHostString();
    List<String> allNames = new ArrayList<>(names);
    allNames.add(host);
    boolean hasPage = resources.stream().anyMatch(PageResource.class::isInstance);
    RequestHandlers handlers =
        new RequestHandlers(resources(resources), hasPage, allNames, tls, accessControl, limits);
    strangers = new Strangers("http-tls", limits.maxConnections);
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(tls == null ? loops : acceptor, loops)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
            .childHandler(handlers);
    if (tls != null) {
      bootstrap.handler(strangers.arrivals(failures::logRefused));
    }
    ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      stop();
      throw new IOException(bound.cause().getMessage(), bound.cause());
    }
    listening = bound.channel();
    AcceptFailures.reportTo(LOG::error, listening);
    if (tls != null) {
      tls.whenReloaded(() -> endRevoked(tls));
    }
  }

  /** Ends the connections whose certificates are revoked now, streams of events among them. */
  private void endRevoked(TlsIdentity tls) {
    secured.close(
        channel -> {
          X509Certificate shown = Login.certificate(channel.pipeline());
          return shown != null && tls.isRevoked(shown);
        });
  }

  /** Gives each connection its handlers. */
  private final class RequestHandlers extends ChannelInitializer<SocketChannel> {
    private final ApplicationHandler resources;
    private final boolean hasPage;
    private final SameSite sameSite;
    private final TlsIdentity tls;
    private final AccessControl accessControl;
    private final HttpLimits limits;
    private final HttpIntake.Shared shared;

    RequestHandlers(
        ApplicationHandler resources,
        boolean hasPage,
        Collection<String> names,
        TlsIdentity tls,
        AccessControl accessControl,
        HttpLimits limits) {
      this.resources = resources;
      this.hasPage = hasPage;
      this.tls = tls;
      this.accessControl = accessControl;
      this.limits = limits;
      sameSite = SameSite.withNames(names, "--http-name");
      shared = new HttpIntake.Shared(limits);
    }

    @Override
    protected void initChannel(SocketChannel channel) {
      Runnable loggedIn = () -> {};
      if (tls != null) {
        loggedIn = () -> strangers.proved(channel);
        SslHandler security =
            new SslHandler(
                tls.serverEngine(TlsIdentity.Peer.MAY_PROVE, "TLSv1.3", "TLSv1.2"),
                strangers.handshake(channel));
        security.setHandshakeTimeoutMillis(limits.requestTimeout.toMillis());
        secured.add(channel);
        channel.pipeline().addLast(security);
      }
      channel
          .pipeline()
          .addLast(
              new IdleStateHandler(true, 0, limits.stallTimeout.toNanos(), 0, TimeUnit.NANOSECONDS),
              new HttpServerCodec(LONGEST_LINE, LONGEST_HEADERS, CHUNK),
              new FlowControlHandler(),
              new HttpIntake(shared),
              new Login(accessControl, loggedIn),
              new RequestGatherer(limits.maxBodyBytes),
              new RequestHandler(resources, hasPage, sameSite, accessControl, workers, failures));
    }
  }

  private static ApplicationHandler resources(Set<Object> resources) {
    ResourceConfig config = new ResourceConfig();
    // Everything is named here; looking for more on the class path takes a third of a second.
    config.property(ServerProperties.FEATURE_AUTO_DISCOVERY_DISABLE, true);
    config.property(ServerProperties.METAINF_SERVICES_LOOKUP_DISABLE, true);
    config.property(ServerProperties.WADL_FEATURE_DISABLE, true);
    config.property(ServerProperties.RESPONSE_SET_STATUS_OVER_SEND_ERROR, true);
    RestResources.providers().forEach(config::register);
    resources.forEach(config::register);
    return new ApplicationHandler(config);
  }

  /** A request's URI, below {@value #ROOT} if it is for a resource that is served at the top. */
  static String belowRoot(String uri) {
    int end = uri.indexOf('?');
    return AT_TOP.contains(end < 0 ? uri : uri.substring(0, end)) ? ROOT + uri : uri;
  }

  /** Where clients find the server, without the root's path; the port is the real one. */
  public URI address() {
    int port = ((InetSocketAddress) listening.localAddress()).getPort();
    return URI.create(
        scheme + "://" + (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port);
  }

  /** Stops listening and waits a moment for requests in progress. */
  @Override
  public void close() {
    listening.close().awaitUninterruptibly();
    stop();
  }

  private void stop() {
    workers.shutdown();
    try {
      workers.awaitTermination(CLOSE_GRACE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    workers.shutdownNow();
    acceptor.shutdownGracefully(0, CLOSE_GRACE_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
    loops.shutdownGracefully(0, CLOSE_GRACE_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
    strangers.close();
  }
}
