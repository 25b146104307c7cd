package org.evenweave.engine;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.evenweave.engine.config.ConfigChange;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.events.TopologyEvents;
import org.evenweave.engine.forwarding.CannotFitException;
import org.evenweave.engine.forwarding.DesiredState;
import org.evenweave.engine.forwarding.ForwardingManager;
import org.evenweave.engine.forwarding.PlanOutcome;
import org.evenweave.engine.forwarding.ReadBack;
import org.evenweave.engine.forwarding.TableCompiler;
import org.evenweave.engine.forwarding.UnsafePlanException;
import org.evenweave.engine.hosts.GatewayResponder;
import org.evenweave.engine.hosts.HostMemory;
import org.evenweave.engine.nib.Discovery;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.paths.PathCalculator;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.EngineMemory;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.TopologyPort;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.weights.WeightRule;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine: events go into the NIB; a changed snapshot goes through the Path Calculator and the
 * table compiler; the Forwarding Manager takes the switches there. One loop owns all of it.
 *
 * <p>Events that arrive together are answered together; one that arrives while a plan is being
 * carried out ends that plan after the round under way, and is answered then. Nothing ever waits
 * for a timer, but for two cases: after a start the engine waits until the configured fabric has
 * been discovered (so that a restarted controller does not tear down what it has not seen yet), and
 * after a refusal it waits before it tries again.
 */
public final class Engine implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

  private static final long SECOND_NANOS = 1_000_000_000L;

  /** How long a start finds nothing more before the engine works with what it has found. */
  static final long DISCOVERY_PAUSE_NANOS = 5 * SECOND_NANOS;

  /** First pause after a refusal; doubled with each further one. */
  static final long FIRST_RETRY_NANOS = SECOND_NANOS / 10;

  static final long LONGEST_RETRY_NANOS = 10 * SECOND_NANOS;

  private final EngineLoop loop;
  private final EngineMemory memory;
  private final HostMemory hosts;
  private final TopologyPort topology;
  private final Nib nib;
  private final ForwardingManager forwarding;
  private final EventLog events;
  private final TopologyEvents topologyEvents;
  private final GatewayResponder responder;
  private final FirstReading firstReading;
  private final Audits audits;

  private EngineConfig config;

  /** What the latest plan is for. */
  private Snapshot reconciled;

  private boolean reconcileQueued;
  private boolean changedMeanwhile;
  private boolean closed;
  private Discovery discovery;
  private long retryNanos = FIRST_RETRY_NANOS;
  private DesiredState desired;
  private EngineConfig requested;
  private volatile EngineView view;

  /**
   * @throws CannotFitException if the groups of the configured fabric do not fit a switch's table
   */
  public Engine(
      EngineConfig config, TopologyPort topology, SouthboundPort southbound, EngineLoop loop) {
    this(config, topology, southbound, loop, EngineMemory.NONE);
  }

  /**
   * @param memory left by the engine before this one, and kept for the next
   * @throws CannotFitException if the groups of the configured fabric do not fit a switch's table
   */
  public Engine(
      EngineConfig config,
      TopologyPort topology,
      SouthboundPort southbound,
      EngineLoop loop,
      EngineMemory memory) {
    this.loop = loop;
    this.memory = memory;
    this.hosts = new HostMemory(memory);
    this.topology = topology;
    this.config = config;
    this.requested = config;
    long lastNumber = memory.lastNumber();
    this.nib = new Nib(config, lastNumber);
    this.forwarding = new ForwardingManager(southbound, loop);
    this.events = new EventLog(loop.nanoTime(), lastNumber);
    this.responder = new GatewayResponder(nib, southbound, host -> changed(), loop::nanoTime);
    this.firstReading =
        new FirstReading(loop, nib, forwarding, hosts, this::changed, this::answerMeanwhile);
    this.audits = new Audits(loop, nib, forwarding, events, this::changed);
    this.discovery = new Discovery(DISCOVERY_PAUSE_NANOS, loop.nanoTime());
    this.topologyEvents = new TopologyEvents(events, nib.snapshot());
    this.view = new EngineView(lastNumber, config, nib.snapshot(), null, Map.of(), false, "");
    requireFit(config);
  }

  /**
   * The fabric as configured must fit; nothing is started for one that cannot.
   *
   * @throws CannotFitException naming the first switch whose table is too small
   */
  public static void requireFit(EngineConfig config) {
    Snapshot whole = new Snapshot(0, config.intended(), List.of());
    TableCompiler.compile(
        PathCalculator.routes(whole, config.weightRule()),
        config.maxOversubscription(),
        Map.of(),
        switchId -> false,
        switchId -> SouthboundPort.anyGroupId(),
        null);
  }

  /**
   * Sets the pause between two audits, asked for before each; 30 s otherwise. To be called before
   * the start.
   */
  public void auditEvery(LongSupplier pauseNanos) {
    audits.every(pauseNanos);
  }

  /**
   * Sets how long a start finds nothing more before the engine works with what it has found; 5 s
   * otherwise. To be called before the start.
   */
  public void discoverUntilQuietFor(long pauseNanos) {
    discovery = new Discovery(pauseNanos, loop.nanoTime());
  }

  /** Begins to listen to the network and to program it. */
  public void start() {
    topology.setListener(new LoopedListener(loop, this));
    loop.execute(this::endDiscovery);
    audits.start();
  }

  /** Stops programming; the switches go on with what they have. */
  @Override
  public void close() {
    events.close();
    loop.execute(
        () -> {
          closed = true;
          audits.close();
        });
  }

  /** What the engine knows and has done, as of its last step. Safe for many threads. */
  public EngineView view() {
    return view;
  }

  /** Reads all switches' tables, to be looked at. Safe for many threads. */
  public CompletableFuture<ReadBack> readBack() {
    return CompletableFuture.supplyAsync(
            () -> forwarding.readBack(nib.snapshot().switchIds()), loop::execute)
        .thenCompose(Function.identity());
  }

  /**
   * Reads all switches' tables and repairs those that are not as installed, as is done every now
   * and then anyway. Safe for many threads.
   *
   * @return the switches that were not as installed; fails with an {@link IllegalStateException}
   *     while a plan is under way, since nobody can say then what is installed
   */
  public CompletableFuture<SortedSet<String>> audit() {
    CompletableFuture<SortedSet<String>> drifted = new CompletableFuture<>();
    loop.execute(() -> audits.now(drifted));
    return drifted;
  }

  /** The latest events. Safe for many threads. */
  public EventLog events() {
    return events;
  }

  /** The configuration in force or on its way. Safe for many threads. */
  public synchronized EngineConfig configuration() {
    return requested;
  }

  /** Changes the weight rule of all groups. Safe for many threads. */
  public synchronized void useRule(WeightRule newRule) {
    if (requested.weightRule() != newRule) {
      apply(requested.withWeightRule(newRule), Event.Kind.STRATEGY, newRule.strategyName());
    }
  }

  /**
   * Changes the configuration; the switches are taken there like after any other event, without
   * losing a packet that has another way to go. Safe for many threads.
   *
   * @throws CannotFitException if the groups of the new fabric do not fit; nothing is changed then
   * @throws FabricException if a switch that is connected would change its name; nothing is changed
   *     then either
   */
  public void reconfigure(EngineConfig newConfig) {
    requireFit(newConfig);
    synchronized (this) {
      ConfigChange change = new ConfigChange(requested, newConfig);
      change.requireNamesKept();
      if (!change.isEmpty()) {
        apply(newConfig, Event.Kind.CONFIGURATION, change.toString());
      }
    }
  }

  /** So that who asked for something never reads of a convergence from before it. */
  private void apply(EngineConfig newConfig, Event.Kind kind, String subject) {
    long atNanos = loop.nanoTime();
    requested = newConfig;
    view = view.unconverged(newConfig);
    loop.execute(
        () -> {
          config = newConfig;
          nib.configure(newConfig);
          events.add(kind, subject, atNanos);
          changed();
        });
  }

  Nib nib() {
    return nib;
  }

  GatewayResponder responder() {
    return responder;
  }

  void switchUp(String switchId) {
    forwarding.forget(switchId);
    nib.switchUp(switchId);
    firstReading.of(switchId);
  }

  void switchDown(String switchId, long atNanos) {
    forwarding.forget(switchId);
    nib.switchDown(switchId);
    changed(atNanos);
  }

  void portChanged(String switchId, int port, boolean up, long speedBps, long atNanos) {
    nib.portChanged(switchId, port, up, speedBps);
    if (up) {
      hosts.recall(switchId, nib);
    }
    topologyChanged(atNanos);
  }

  /** Something happened to ports or links, which need not have changed the network. */
  void topologyChanged(long atNanos) {
    if (nib.snapshot() != reconciled) {
      changed(atNanos);
    }
  }

  /** Something changed that brings no event of its own. */
  void changed() {
    changed(loop.nanoTime());
  }

  /** The NIB may have changed, first noticed at this time. */
  void changed(long atNanos) {
    if (topologyEvents.follow(nib.snapshot(), atNanos)) {
      hosts.follow(nib.snapshot(), nib);
    }
    if (!reconcileQueued && !closed) {
      reconcileQueued = true;
      loop.execute(this::reconcile);
    }
  }

  /** Discovery can end without an event, for want of more to find. */
  private void endDiscovery() {
    long nowNanos = loop.nanoTime();
    if (discovery.follow(nib, nowNanos)) {
      changed(nowNanos);
    } else {
      loop.schedule(this::endDiscovery, discovery.remainingNanos(nowNanos));
    }
  }

  /** One step: from the network as it is to a plan under way, or to nothing left to do. */
  private void reconcile() {
    reconcileQueued = false;
    Snapshot snapshot = nib.snapshot();
    if (closed || !discovery.follow(nib, loop.nanoTime())) {
      return;
    }
    if (forwarding.busy() || anyUnknown(snapshot)) {
      changedMeanwhile = true;
      return;
    }
    try {
      Routing earlier = desired == null ? null : desired.routing();
      desired =
          TableCompiler.compile(
              PathCalculator.routes(snapshot, config.weightRule(), earlier),
              config.maxOversubscription(),
              forwarding.installed(),
              forwarding::seedsHash,
              forwarding::groupIds,
              desired);
    } catch (CannotFitException e) {
      report(Event.Kind.CANNOT_FIT, e.getMessage());
      return;
    }
    reconciled = snapshot;
    publish(false, "");
    long throughSequence = events.lastSequence();
    try {
      forwarding.reach(
          desired, () -> changedMeanwhile, outcome -> finished(outcome, throughSequence));
    } catch (UnsafePlanException e) {
      report(Event.Kind.UNSAFE, e.getMessage());
    }
  }

  private void finished(PlanOutcome outcome, long throughSequence) {
    if (outcome.complete()) {
      retryNanos = FIRST_RETRY_NANOS;
      events.confirm(
          throughSequence, loop.nanoTime(), outcome.groupsChanged(), outcome.flowsChanged());
      publish(!changedMeanwhile && !reconcileQueued, "");
    } else if (!outcome.failures().isEmpty()) {
      String problem = String.join("; ", outcome.failures().values());
      report(Event.Kind.REFUSED, problem);
      outcome.failures().keySet().forEach(firstReading::unlessKnown);
      loop.schedule(this::changed, retryNanos);
      retryNanos = Math.min(2 * retryNanos, LONGEST_RETRY_NANOS);
    }
    answerMeanwhile();
  }

  private void answerMeanwhile() {
    if (changedMeanwhile) {
      changedMeanwhile = false;
      changed();
    }
  }

  /** Whether the tables of a switch that takes part are not known: a plan could be wrong. */
  private boolean anyUnknown(Snapshot snapshot) {
    for (String switchId : snapshot.switchIds()) {
      if (!forwarding.knows(switchId)) {
        return true;
      }
    }
    return false;
  }

  private void report(Event.Kind kind, String problem) {
    if (!problem.equals(view.problem())) {
      LOG.warn("{}: {}", kind.text(), problem);
      events.add(kind, problem, loop.nanoTime());
    }
    publish(false, problem);
  }

  private synchronized void publish(boolean converged, String problem) {
    view =
        new EngineView(
            view.revision() + 1,
            requested,
            nib.snapshot(),
            desired,
            forwarding.installed(),
            converged && requested == config,
            problem);
    memory.reached(
        Math.max(view.revision(), Math.max(nib.snapshot().version(), events.lastChange())));
  }
}
