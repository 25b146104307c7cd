package org.evenweave.sdd.session;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.evenweave.sdd.handover.PolicyExchange;
import org.evenweave.sdd.handover.PolicyState;
import org.evenweave.tls.TlsIdentity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The links with the other controllers of the same hosts, over TLS. This controller connects to
 * each one that its configuration names, and retries; controllers that name this one connect to it.
 * An operator's change at one is sent to all, and to a controller that returns as soon as it is
 * linked. Thread-safe.
 */
public final class Controllers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Controllers.class);
  private static final long RETRY_SECONDS = 1;
  private static final int CONNECT_MS = 5_000;

  /** How long an operator waits for a controller that is connected and hangs. */
  private static final long PATIENCE_NS = 1_000_000_000;

  private final String id = UUID.randomUUID().toString();
  private final EventLoopGroup loops =
      new NioEventLoopGroup(1, new DefaultThreadFactory("sdd-controllers", true));
  private final TlsIdentity tls;
  private final PolicyExchange exchange;
  private final String configuration;
  private final Leadership leadership;
  private final List<Named> named = new ArrayList<>();
  private final Set<ControllerLink> links = ConcurrentHashMap.newKeySet();

  /** By their ids, those whose other configuration was logged. */
  private final Set<String> differing = ConcurrentHashMap.newKeySet();

  private volatile boolean isOver;

  /** One that the configuration names. */
  private final class Named {
    final InetSocketAddress address;
    volatile ControllerLink link;
    volatile boolean isThisOne;
    private String lastLogged = "";

    Named(InetSocketAddress address) {
      this.address = address;
    }

    void dial() {
      ControllerLink next = new ControllerLink(Controllers.this);
      link = next;
      ChannelFuture connected =
          new Bootstrap()
              .group(loops)
              .channel(NioSocketChannel.class)
              .option(ChannelOption.TCP_NODELAY, true)
              .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MS)
              .handler(
                  new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                      channel
                          .pipeline()
                          .addLast(
                              new SslHandler(tls.clientEngine(SessionServer.PROTOCOL)),
                              ControllerLink.silence(),
                              ControllerLink.frames(),
                              next);
                    }
                  })
              .connect(address);
      connected.addListener(
          done -> {
            if (done.isSuccess()) {
              connected.channel().closeFuture().addListener(closed -> retry(next.problem()));
            } else {
              retry(done.cause().getMessage());
            }
          });
    }

    /** Dials again after a pause; logs a reason only when it changes. */
    private void retry(String problem) {
      if (isOver || isThisOne) {
        return;
      }
      if (!problem.equals(lastLogged)) {
        LOG.warn("no link with the controller at {}: {}", address, problem);
        lastLogged = problem;
      }
      loops.schedule(this::dial, RETRY_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** What is known of a controller that the configuration names. */
  public static final class State {
    private final InetSocketAddress address;
    private final boolean linked;
    private final boolean samePolicy;
    private final Boolean sameConfiguration;

    private State(
        InetSocketAddress address, boolean linked, boolean samePolicy, Boolean sameConfiguration) {
      this.address = address;
      this.linked = linked;
      this.samePolicy = samePolicy;
      this.sameConfiguration = sameConfiguration;
    }

    public InetSocketAddress address() {
      return address;
    }

    public boolean isLinked() {
      return linked;
    }

    /** Whether it said that what operators changed here counts there. */
    public boolean hasSamePolicy() {
      return samePolicy;
    }

    /**
     * Whether it has this one's configuration in all that both must have in common; empty while
     * that is not known.
     */
    public Optional<Boolean> sameConfiguration() {
      return Optional.ofNullable(sameConfiguration);
    }
  }

  /**
   * Connects to nobody before {@link #start}.
   *
   * @param addresses where others listen; this controller's own may be one of them
   * @param tls the controller's keys
   * @param configuration a digest of what all controllers must have in common
   * @param leadership this controller's, which is told whether others lead
   */
  public Controllers(
      List<InetSocketAddress> addresses,
      TlsIdentity tls,
      PolicyExchange exchange,
      String configuration,
      Leadership leadership) {
    this.tls = tls;
    this.exchange = exchange;
    this.configuration = configuration;
    this.leadership = leadership;
    addresses.forEach(address -> named.add(new Named(address)));
  }

  /** Begins to connect. */
  public void start() {
    named.forEach(Named::dial);
  }

  /** Of those that the configuration names, but this one. */
  public List<State> states() {
    List<State> states = new ArrayList<>();
    for (Named each : named) {
      if (!each.isThisOne) {
        ControllerLink link = each.link;
        boolean linked = link != null && links.contains(link) && link.hasReported();
        String other = linked ? link.configuration() : null;
        states.add(
            new State(
                each.address,
                linked,
                linked && isInForce() && link.has(newest().version()) && link.isInForce(),
                other == null ? null : other.equals(configuration)));
      }
    }
    return states;
  }

  /**
   * Hands a change to all others, and waits until those that are connected have it, for a second at
   * most.
   *
   * @return that one has not said so; empty if all have
   */
  public Optional<String> handOver(PolicyState state) {
    links.forEach(link -> link.send(state));
    long deadline = System.nanoTime() + PATIENCE_NS;
    synchronized (links) {
      long left = PATIENCE_NS;
      while (left > 0 && links.stream().anyMatch(link -> !link.has(state.version()))) {
        try {
          TimeUnit.NANOSECONDS.timedWait(links, left);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          break;
        }
        left = deadline - System.nanoTime();
      }
    }
    return links.stream().allMatch(link -> link.has(state.version()))
        ? Optional.empty()
        : Optional.of("a linked controller has not confirmed it within a second");
  }

  /** Another controller has connected: what follows is between controllers. */
  void takeOver(ChannelPipeline pipeline, ChannelHandler handler) {
    pipeline.replace(ReadTimeoutHandler.class, null, ControllerLink.silence());
    pipeline.replace(LengthFieldBasedFrameDecoder.class, null, ControllerLink.frames());
    pipeline.replace(handler, null, new ControllerLink(this));
  }

  String id() {
    return id;
  }

  String configuration() {
    return configuration;
  }

  /** As which generation this controller leads; 0 while it stands by. */
  long generation() {
    return leadership.generation();
  }

  /** The other end says as which generation it leads. */
  void leads(long generation) {
    leadership.linkedLeads(generation);
  }

  PolicyState newest() {
    return exchange.newest();
  }

  boolean isInForce() {
    return exchange.isInForce();
  }

  /** Its other end has said something. */
  void add(ControllerLink link) {
    links.add(link);
    of(link)
        .ifPresent(
            each -> {
              each.lastLogged = "";
              LOG.info("linked with the controller at {}", each.address);
            });
  }

  void remove(ControllerLink link) {
    links.remove(link);
    wakeAll();
  }

  /** The one to which this controller has opened this link; none if the other end has. */
  private Optional<Named> of(ControllerLink link) {
    return named.stream().filter(each -> each.link == link).findFirst();
  }

  /**
   * The other end is this controller itself.
   *
   * @return whether this is the end that has opened it
   */
  boolean isThisOne(ControllerLink link) {
    Optional<Named> own = of(link);
    own.ifPresent(each -> each.isThisOne = true);
    return own.isPresent();
  }

  /**
   * Handles the state that the other end reports.
   *
   * @param controller its id
   */
  void heard(ControllerLink link, String controller) {
    String other = link.configuration();
    if (other != null && !other.equals(configuration) && differing.add(controller)) {
      LOG.warn(
          "{} has another configuration: if one of the two takes over, it will contradict the weeks,"
              + " queues or generations of the other; make both files equal, except for listen,"
              + " controllers, keys and standby",
          of(link)
              .map(each -> "the controller at " + each.address)
              .orElse("a controller that has connected from " + link.from()));
    }
    wakeAll();
  }

  private void wakeAll() {
    synchronized (links) {
      links.notifyAll();
    }
  }

  /** Passes on what is new here: not all others need be linked with one another. */
  void offered(PolicyState state, ControllerLink from) {
    boolean isNew = state.isNewerThan(newest());
    exchange.offered(state);
    if (isNew) {
      links.stream().filter(link -> link != from).forEach(link -> link.send(state));
    }
  }

  @Override
  public void close() {
    isOver = true;
    links.forEach(ControllerLink::close);
    loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
