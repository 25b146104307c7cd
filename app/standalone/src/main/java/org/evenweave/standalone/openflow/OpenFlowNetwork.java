package org.evenweave.standalone.openflow;

import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.evenweave.engine.discovery.LinkDiscovery;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.packets.PacketQueue;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.PortCounters;
import org.evenweave.engine.port.RuleCount;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchReading;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.port.TopologyListener;
import org.evenweave.engine.port.TopologyPort;
import org.evenweave.engine.runtime.LoopWatch;
import org.evenweave.metrics.Source;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The network of OpenFlow 1.3 and 1.5 switches that connect to one listening address: both ports of
 * the engine.
 *
 * <p>All that happens in the network is put in one order by one thread, which owns the known
 * topology, runs link discovery, and calls the listener. So a listener that is set late gets a
 * consistent history, and a slow one delays neither echoes nor programming. Packets, of hosts and
 * of discovery, come last: they wait in queues from which the thread takes one at a time between
 * other events, and are dropped when a port or a switch sends too many or too many wait.
 *
 * <p>A second connection with the datapath id of a connected switch replaces the first if that does
 * not answer any more: it is the same switch, reconnecting before its old connection was noticed to
 * be dead. The listener sees the switch go down and come up. While the first answers, the second is
 * another switch that has the id by mistake, and is refused ({@link Datapaths}).
 */
public final class OpenFlowNetwork implements TopologyPort, SouthboundPort, AutoCloseable {
  /** Brings link discovery its probes; in every switch from the handshake on, and audited. */
  static final List<FlowRule> STANDING_RULES = List.of(FlowRule.lldpToController());

  /** Packets of a kind that may wait. An ARP storm is longer; its packets are alike. */
  private static final int MAX_WAITING_PACKETS = 4096;

  private static final int MAX_WAITING_BYTES = 1 << 24;

  private static final Duration CLOSING_TIMEOUT = Duration.ofSeconds(1);
  private static final Logger LOG = LoggerFactory.getLogger(OpenFlowNetwork.class);

  private final Map<String, SwitchConnection> connections = new ConcurrentHashMap<>();
  private final PacketQueue probes = queue();
  private final ScheduledThreadPoolExecutor events;
  private final ExecutorService callbacks;
  private final KnownTopology known = new KnownTopology();
  private final LinkDiscovery discovery = new ProbeOutlet(connections, probes, known).discovery();
  private final MasterLookup masters;
  private final ChannelSettings settings;
  private final OpenFlowServer server;

  /**
   * Starts to listen for switches.
   *
   * @param address where switches connect
   * @param switchIdOf the id of a switch by its datapath id; at most 255 bytes, for the probes
   * @param timeout how long a switch may leave the handshake, an echo or a request unanswered
   * @param probePeriod between the LLDP probes of a port
   * @param masterRule when this controller claims to be the switches' master
   * @param tls null if switches connect without
   * @throws IOException if the address cannot be bound; nothing is left running then
   */
  public OpenFlowNetwork(
      InetSocketAddress address,
      LongFunction<String> switchIdOf,
      Duration timeout,
      Duration probePeriod,
      MasterRule masterRule,
      SwitchTls tls)
      throws IOException {
    events = new ScheduledThreadPoolExecutor(1, daemon("topology"));
    callbacks = Executors.newCachedThreadPool(daemon("southbound"));
    masters =
        new MasterLookup(
            events,
            callbacks,
            connection -> known.isBarred(connection.switchId()),
            (connection, master) -> known.otherMaster(connection.switchId(), master));
    settings =
        new ChannelSettings(
            switchIdOf,
            timeout,
            callbacks,
            new NetworkEvents(
                this::inOrder, connections, known, discovery, masters, probes, this::queue),
            masterRule,
            tls);
    try {
      server = new OpenFlowServer(address, settings);
    } catch (IOException e) {
      events.shutdownNow();
      callbacks.shutdownNow();
      throw e;
    }
    inOrder(discovery::warmUp);
    events.scheduleWithFixedDelay(
        guarded(this::nextProbeRound),
        probePeriod.toNanos(),
        probePeriod.toNanos(),
        TimeUnit.NANOSECONDS);
  }

  /** Has the threads watched on which switches depend. */
  public void watch(LoopWatch watch) {
    watch.add("topology thread", events);
    int number = 0;
    for (EventExecutor thread : server.threads()) {
      watch.add("OpenFlow thread " + ++number, thread);
    }
  }

  /** As {@link MasterLookup#use}. */
  public void lookUpMasters(LongFunction<Optional<String>> source) {
    masters.use(source);
  }

  /** The REST resource of the switches' connections. */
  public Object connectionsResource() {
    return new ConnectionsResource(settings.datapaths);
  }

  /** The certificates that connected switches have shown, by switch id. */
  public Map<String, X509Certificate> certificates() {
    Map<String, X509Certificate> shown = new TreeMap<>();
    for (SwitchConnection connection : settings.datapaths.all()) {
      if (connection.certificate() != null) {
        shown.put(connection.switchId(), connection.certificate());
      }
    }
    return shown;
  }

  /** The metrics of the switches' connections. */
  public Source metrics() {
    return new OpenFlowMetrics(settings.datapaths);
  }

  /** Where switches connect; the actual port also where 0 was requested. */
  public InetSocketAddress address() {
    return server.address();
  }

  @Override
  public void setListener(TopologyListener listener) {
    Objects.requireNonNull(listener);
    inOrder(
        () -> {
          known.setListener(listener);
          discovery.repeat(known);
        });
  }

  /** Closes the switch's connection; it connects again by itself. */
  @Override
  public void reconnect(String switchId) {
    SwitchConnection connection = connections.get(switchId);
    if (connection != null) {
      connection.close();
    }
  }

  @Override
  public CompletableFuture<Void> apply(String switchId, List<SwitchOperation> operations) {
    SwitchConnection connection = connections.get(switchId);
    return connection != null ? connection.apply(operations) : notConnected(switchId);
  }

  @Override
  public CompletableFuture<SwitchTables> read(String switchId) {
    return readAll(switchId).thenApply(SwitchReading::own);
  }

  @Override
  public CompletableFuture<SwitchReading> readAll(String switchId) {
    SwitchConnection connection = connections.get(switchId);
    return connection != null ? connection.readAll() : notConnected(switchId);
  }

  @Override
  public CompletableFuture<Void> removeForeign(String switchId, List<ForeignRule> rules) {
    SwitchConnection connection = connections.get(switchId);
    return connection != null ? connection.removeForeign(rules) : notConnected(switchId);
  }

  @Override
  public boolean removesForeign() {
    return true;
  }

  @Override
  public String ownerOf(long cookie) {
    return cookie == OpenFlow13.ENGINE_COOKIE.getValue() ? "Evenweave's cookie" : "";
  }

  @Override
  public IntStream groupIds(String switchId) {
    return IntStream.rangeClosed(OpenFlow13.FIRST_GROUP, OpenFlow13.LAST_GROUP);
  }

  @Override
  public CompletableFuture<Collection<RuleCount>> countRoutes(String switchId) {
    SwitchConnection connection = connections.get(switchId);
    return connection != null ? connection.countRoutes() : notConnected(switchId);
  }

  @Override
  public CompletableFuture<Map<Integer, PortCounters>> countPorts(String switchId) {
    SwitchConnection connection = connections.get(switchId);
    return connection != null ? connection.countPorts() : notConnected(switchId);
  }

  @Override
  public Collection<FlowRule> standingRules() {
    return STANDING_RULES;
  }

  @Override
  public boolean seedsHash(String switchId) {
    SwitchConnection connection = connections.get(switchId);
    return connection != null && connection.seedsHash();
  }

  @Override
  public SwitchTarget target(String switchId) {
    SwitchConnection connection = connections.get(switchId);
    return connection != null ? connection.target() : SwitchTarget.OVS_UNIT_BUCKETS;
  }

  @Override
  public Limits limits(String switchId) {
    SwitchConnection connection = connections.get(switchId);
    return connection != null ? connection.limits() : Limits.NONE;
  }

  @Override
  public void sendPacket(String switchId, int outPort, byte[] frame) {
    SwitchConnection connection = connections.get(switchId);
    if (connection != null) {
      connection.sendPacket(outPort, frame);
    }
  }

  /** Stops listening, closes every connection, and returns when no more calls will be made. */
  @Override
  public void close() {
    server.close();
    events.shutdown();
    callbacks.shutdown();
    try {
      events.awaitTermination(CLOSING_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void nextProbeRound() {
    long nowNanos = System.nanoTime();
    known.probeRoundPassed(discovery.nextRound(nowNanos), nowNanos);
  }

  private PacketQueue queue() {
    return new PacketQueue(this::inOrder, MAX_WAITING_PACKETS, MAX_WAITING_BYTES);
  }

  private void inOrder(Runnable event) {
    try {
      events.execute(guarded(event));
    } catch (RejectedExecutionException e) {
      LOG.debug("an event after the end");
    }
  }

  /** An exception drops one event, and does not end the thread's periodic work. */
  private static Runnable guarded(Runnable event) {
    return () -> {
      try {
        event.run();
      } catch (RuntimeException e) {
        LOG.error("an event in the network was not handled", e);
      }
    };
  }

  private static <T> CompletableFuture<T> notConnected(String switchId) {
    return CompletableFuture.failedFuture(new SouthboundException(switchId, "not connected"));
  }

  private static ThreadFactory daemon(String name) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
