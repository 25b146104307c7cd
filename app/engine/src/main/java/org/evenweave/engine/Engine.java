package org.evenweave.engine;

import java.security.SecureRandom;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.evenweave.engine.audit.Audits;
import org.evenweave.engine.audit.Verification;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.forwarding.CannotFitException;
import org.evenweave.engine.forwarding.ForwardingManager;
import org.evenweave.engine.hosts.GatewayResponder;
import org.evenweave.engine.hosts.HostMemory;
import org.evenweave.engine.links.LinkMonitor;
import org.evenweave.engine.liveness.ForwardingCheck;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.packets.PacketCounts;
import org.evenweave.engine.packets.RefusedSources;
import org.evenweave.engine.port.EngineMemory;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.TopologyPort;
import org.evenweave.engine.port.TraitsCopy;
import org.evenweave.engine.reconcile.Reconciliation;
import org.evenweave.engine.reweighting.TrafficReweighting;
import org.evenweave.engine.runtime.Changes;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.engine.runtime.LoopWatch;
import org.evenweave.engine.runtime.StageTimes;
import org.evenweave.engine.status.EngineView;
import org.evenweave.engine.status.RuntimeReport;
import org.evenweave.engine.status.ViewPublisher;
import org.evenweave.engine.whatif.WhatIf;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.evenweave.wcmp.weights.WeightRule;

/**
 * The engine: events update the NIB; the Path Calculator and the table compiler turn a changed
 * snapshot into tables; the Forwarding Manager installs them ({@link Reconciliation}). One loop
 * owns all of this. This class joins the parts and is the interface for runtimes and REST. Events
 * enter by {@link SerialisingListener}, configurations by {@link Reconfiguration}.
 */
public final class Engine implements AutoCloseable {
  private final EngineLoop loop;
  private final Changes changes;
  private final HostMemory hosts;
  private final TopologyPort topology;
  private final Nib nib;
  private final ForwardingManager forwarding;
  private final EventLog events;
  private final LinkMonitor links;
  private final TrafficReweighting traffic;
  private final ForwardingCheck forwardingCheck;
  private final GatewayResponder responder;
  private final ViewPublisher views;
  private final Audits audits;
  private final Reconfiguration reconfiguration;
  private final Reconciliation reconciliation;

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
    this.changes = new Changes(loop);
    this.hosts = new HostMemory(memory);
    this.topology = topology;
    this.nib = new Nib(config, memory.lastNumber());
    StageTimes times = new StageTimes(loop::nanoTime);
    this.forwarding = new ForwardingManager(southbound, loop, times, nib::config);
    this.events = new EventLog(loop::nanoTime, memory.lastNumber());
    long seed = new SecureRandom().nextLong();
    this.forwardingCheck =
        new ForwardingCheck(nib, forwarding, southbound, loop, events, changes, seed);
    this.responder =
        new GatewayResponder(
            nib, southbound, loop, events, changes::mayHaveChanged, forwardingCheck::received);
    this.traffic = TrafficReweighting.of(loop, nib, forwarding, southbound, events, changes);
    forwarding
        .limits()
        .setLearnedListener(
            sentence -> events.add(Event.Kind.LIMIT_LEARNED, sentence, loop.nanoTime()));
    this.views = new ViewPublisher(loop, nib, forwarding, events, memory, times);
    traffic.onProblem(
        problem -> views.outside("solver", problem.isEmpty() ? List.of() : List.of(problem)));
    this.links = new LinkMonitor(loop, nib, events, southbound, changes, views::links);
    this.audits = new Audits(loop, nib, forwarding, southbound, events, views, links, changes);
    this.reconfiguration =
        new Reconfiguration(loop, topology, nib, views, events, traffic, changes);
    this.reconciliation =
        new Reconciliation(
            loop, nib, forwarding, events, views, hosts, traffic, links, times, changes);
    requireFit(config);
  }

  /**
   * @throws CannotFitException if the fabric as configured does not fit, naming the first switch
   *     whose table is too small
   */
  public static void requireFit(EngineConfig config) {
    Reconciliation.requireFit(config);
  }

  /** Sets the pause before each audit, 30 s otherwise. To be called before the start. */
  public void auditEvery(LongSupplier pauseNanos) {
    audits.every(pauseNanos);
  }

  /** Starts to listen to topology events and to program the switches. */
  public void start() {
    SwitchControl control = new SwitchControl(loop, events, views);
    topology.setListener(new SerialisingListener(loop, this, control));
    loop.execute(changes::changed);
    audits.start();
    responder.start();
    forwardingCheck.start();
    links.start();
  }

  /** Stops programming; the switches go on with what they have. */
  @Override
  public void close() {
    events.close();
    views.watch().close();
    loop.execute(
        () -> {
          reconciliation.close();
          audits.close();
          responder.close();
          forwardingCheck.close();
          links.close();
          traffic.close();
        });
  }

  /** What the engine knows and has done, as of its last step. Safe for many threads. */
  public EngineView view() {
    return views.view();
  }

  /** Watches the loop; a runtime adds threads of its own, and starts it. */
  public LoopWatch watch() {
    return views.watch();
  }

  /**
   * Reads all switches' tables once no plan is in progress. Those that differ are left to the next
   * audit. Safe for many threads.
   */
  public CompletableFuture<Verification> verify() {
    return audits.verify(false);
  }

  /** Does the same, and repairs switches that differ. Safe for many threads. */
  public CompletableFuture<Verification> verifyAndRepair() {
    return audits.verify(true);
  }

  /**
   * Audits at once: reads all switches' tables and repairs those that are not as installed. Safe
   * for many threads.
   *
   * @return the switches that were not as installed, and how each differed; fails with an {@link
   *     IllegalStateException} while a plan is in progress, since it is not known then what is
   *     installed
   */
  public CompletableFuture<SortedMap<String, String>> audit() {
    return audits.now();
  }

  /** The latest events. Safe for many threads. */
  public EventLog events() {
    return events;
  }

  /** How many plans were made again after a refusal. Safe for many threads. */
  public long retries() {
    return reconciliation.retries();
  }

  /** How many packets came to the controller. Safe for many threads. */
  public PacketCounts packets() {
    return responder.counts();
  }

  /** What switches dropped because of its source. Safe for many threads. */
  public RefusedSources refusedSources() {
    return audits.refusedSources();
  }

  /** The configuration in force or on its way. Safe for many threads. */
  public EngineConfig configuration() {
    return views.requested();
  }

  /** Changes the weight rule of all groups, as {@link #change} does. Safe for many threads. */
  public void useRule(WeightRule newRule) {
    reconfiguration.useRule(newRule);
  }

  /** Replaces the configuration as a whole, as {@link #change} does, with the same exceptions. */
  public void reconfigure(EngineConfig newConfig) {
    change(present -> newConfig);
  }

  /**
   * Changes the configuration; the switches are taken there like after any other event, without
   * losing a packet that has another way to go. Safe for many threads.
   *
   * @param change makes the new configuration out of the present one; called again if another
   *     thread changed that meanwhile, so no change is lost
   * @return the new configuration
   * @throws CannotFitException if the groups of the new fabric do not fit; nothing is changed then
   * @throws FabricException if a switch in use would change its name, the strategy cannot be used,
   *     or thrown by {@code change}; nothing is changed then either
   */
  public EngineConfig change(UnaryOperator<EngineConfig> change) {
    return reconfiguration.change(change);
  }

  /**
   * Degrades the fabric for these reasons outside forwarding, until the same source reports others
   * or none.
   *
   * @param source of the reasons, as in {@code bfd}; it replaces no other's
   */
  public void report(String source, List<String> reasons) {
    loop.execute(() -> views.outside(source, reasons));
  }

  /** How well the links carry packets, and which of them are avoided for it. */
  public LinkMonitor links() {
    return links;
  }

  /** The traffic matrix as measured, and the weights for it. */
  public TrafficReweighting traffic() {
    return traffic;
  }

  /** What of the runtime endangers switches' tables, a sentence each: degraded until it is gone. */
  public void runtimeProblems(List<String> problems) {
    loop.execute(() -> views.runtimeProblems(problems));
  }

  /** What the runtime reports of itself, shown with the status, until it reports otherwise. */
  public void runtimeReport(RuntimeReport report) {
    loop.execute(() -> views.runtime(report));
  }

  /** What the runtime reported last. Safe for many threads. */
  public RuntimeReport runtimeReport() {
    return views.runtime();
  }

  /**
   * What the engine knows now, for computing what would follow from a change of the network. Safe
   * for many threads.
   *
   * @return fails with an {@link IllegalStateException} before anything was computed
   */
  public CompletableFuture<WhatIf> whatIf() {
    CompletableFuture<WhatIf> future = new CompletableFuture<>();
    loop.execute(
        () -> {
          Snapshot snapshot = nib.snapshot();
          if (reconciliation.desired() == null) {
            future.completeExceptionally(
                new IllegalStateException("nothing has been computed yet; try again later"));
            return;
          }
          future.complete(
              new WhatIf(
                  snapshot,
                  nib.config(),
                  forwarding.installed(),
                  new TraitsCopy(forwarding.limits().traits(), snapshot.forwardingIds()),
                  traffic.inForce(),
                  reconciliation.desired()));
        });
    return future;
  }

  Nib nib() {
    return nib;
  }

  ViewPublisher views() {
    return views;
  }

  GatewayResponder responder() {
    return responder;
  }

  void switchUp(String switchId) {
    forwarding.mustBeRead(switchId);
    nib.switchUp(switchId);
    forwardingCheck.connected(switchId);
    views.refreshLater();
    reconciliation.readTables(switchId);
    reconfiguration.reconnectIfRenamed(switchId);
  }

  void switchDown(String switchId, long atNanos) {
    forwarding.mustBeRead(switchId);
    nib.switchDown(switchId);
    if (reconfiguration.hasLeft(switchId)) {
      nib.markSilent(switchId); // It is there under its other name.
    }
    changes.changed(atNanos);
  }

  void portChanged(String switchId, int port, boolean up, long speedBps, long atNanos) {
    boolean comesUp = nib.portChanged(switchId, port, up, speedBps);
    if (up) {
      hosts.recall(switchId, nib);
    }
    if (comesUp) {
      responder.portUp(switchId, port);
    }
    links.portChanged(new SwitchPort(switchId, port), atNanos);
    changes.mayHaveChanged(atNanos);
    views.refreshLater();
  }

  Audits audits() {
    return audits;
  }

  Changes changes() {
    return changes;
  }
}
