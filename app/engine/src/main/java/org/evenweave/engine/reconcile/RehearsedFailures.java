package org.evenweave.engine.reconcile;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.evenweave.engine.config.DampingConfig;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.damping.LinkDamping;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.forwarding.ForwardingManager;
import org.evenweave.engine.forwarding.PlanListener;
import org.evenweave.engine.forwarding.PlanOutcome;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.reweighting.TrafficReweighting;
import org.evenweave.engine.runtime.Changes;
import org.evenweave.engine.runtime.StageTimes;
import org.evenweave.engine.runtime.StepLoop;
import org.evenweave.engine.status.Health;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.evenweave.wcmp.topology.FatTree;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Failures and returns of links of a fabric in memory: from the NIB through damping, the
 * computation and the status to plans that are verified and carried out. It shares nothing with an
 * engine, it adds no event or log entry, and it sends nothing.
 */
final class RehearsedFailures {
  private static final Logger LOG = LoggerFactory.getLogger(RehearsedFailures.class);

  /** A larger fabric is not copied: one of {@link #PORTS_OF_LARGE} takes less time and memory. */
  private static final int MOST_SWITCHES = 100;

  /** Of the fabric instead of a large one: 180 switches, planned in 30 ms with any strategy. */
  private static final int PORTS_OF_LARGE = 12;

  /** Of the fabric where none is configured: 20 switches. */
  private static final int PORTS_OTHERWISE = 4;

  private static final long BPS_OTHERWISE = 10_000_000_000L;

  /** Links fail in quick succession here, and none is to be damped for it. */
  private static final DampingConfig PATIENT = new DampingConfig(true, 1, 1_000_000_000, 1, 60);

  private final EngineConfig config;
  private final StepLoop loop = new StepLoop(ForwardingManager.SETTLING_NANOS);
  private final StageTimes times = new StageTimes(loop::nanoTime);
  private final Nib nib;
  private final ForwardingManager forwarding;
  private final Computation computation;
  private final Health health;
  private final LinkDamping damping;
  private final BooleanSupplier closed;
  private int plans;

  /**
   * @param real the configuration to come
   * @param closed whether no other link is to fail
   */
  RehearsedFailures(EngineConfig real, BooleanSupplier closed) {
    this.closed = closed;
    config = copyOf(real);
    nib = new Nib(config);
    Switches switches = new Switches();
    EventLog events = new EventLog(loop::nanoTime, 0);
    Changes changes = new Changes(loop);
    forwarding = new ForwardingManager(switches, loop, times, () -> config);
    computation =
        new Computation(
            loop,
            forwarding,
            times,
            TrafficReweighting.of(loop, nib, forwarding, switches, events, changes),
            changes);
    changes.onStep(noticedNanos -> plan());
    health = new Health(nib, () -> false);
    damping = new LinkDamping(loop, nib, events, changes);
  }

  private static EngineConfig copyOf(EngineConfig real) {
    Fabric fabric = real.intended();
    boolean isCopied = !isLarge(real) && fabric.linkCount() > 0 && fabric.subnetCount() > 0;
    int ports = isLarge(real) ? PORTS_OF_LARGE : PORTS_OTHERWISE;
    return new EngineConfig(
            isCopied ? fabric : FatTree.of(ports, BPS_OTHERWISE), Map.of(), real.weightRule())
        .withMaxOversubscription(real.maxOversubscriptionDecimal())
        .withDamping(PATIENT)
        .withAggregating(isCopied ? real.aggregating() : Set.of());
  }

  /** Whether another fabric takes the place of one for its size. */
  static boolean isLarge(EngineConfig real) {
    return real.intended().switchCount() > MOST_SWITCHES;
  }

  /**
   * Has links fail and return, one after the other, in random order.
   *
   * @param mostNanos after which no other link does
   */
  void run(int failures, long mostNanos) {
    long began = System.nanoTime();
    Fabric fabric = fabric();
    connectAll(fabric);
    replan();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0;
        i < failures && !closed.getAsBoolean() && System.nanoTime() - began < mostNanos;
        i++) {
      failAndReturn(fabric, random.nextInt(fabric.linkCount()));
    }
    LOG.debug("rehearsed {} plans", plans);
  }

  /** The fabric whose links fail. */
  Fabric fabric() {
    return config.intended();
  }

  /** How many plans were carried out. */
  int plans() {
    return plans;
  }

  private void connectAll(Fabric fabric) {
    for (int s = 0; s < fabric.switchCount(); s++) {
      String id = fabric.switchId(s);
      nib.switchUp(id);
      for (int i = 0; i < fabric.outDegree(s); i++) {
        nib.portChanged(id, fabric.port(fabric.outArc(s, i)), true, 0);
      }
      nib.portsComplete(id);
      forwarding.read(id, (tables, error) -> nib.tablesKnown(id, tables.routedPorts()));
    }
    loop.runAll();
    for (int link = 0; link < fabric.linkCount(); link++) {
      probe(fabric.end(2 * link), fabric.end(2 * link + 1));
    }
  }

  private void probe(SwitchPort a, SwitchPort b) {
    nib.linkSeen(a, b);
    nib.linkSeen(b, a);
  }

  private void failAndReturn(Fabric fabric, int link) {
    SwitchPort a = fabric.end(2 * link);
    SwitchPort b = fabric.end(2 * link + 1);
    portsGo(false, a, b);
    replan();
    portsGo(true, a, b);
    probe(a, b);
    replan();
  }

  private void portsGo(boolean up, SwitchPort... ends) {
    for (SwitchPort end : ends) {
      nib.portChanged(end.switchId(), end.number(), up, 0);
    }
  }

  private void replan() {
    damping.follow(nib.snapshot());
    plan();
    loop.runAll();
  }

  private void plan() {
    computation.compute(nib.snapshot(), config);
    health.planning(computation.lacksFlows());
    health.status(config);
    forwarding.reach(
        computation.desired(),
        new PlanListener() {
          @Override
          public boolean isOutdated() {
            return false;
          }

          @Override
          public void inForce(int groupsChanged, int flowsChanged) {
            // Nobody waits for it.
          }

          @Override
          public void ended(PlanOutcome outcome) {
            plans += outcome.complete() ? 1 : 0;
            computation.completeFlows();
          }
        });
  }

  /** Begin empty and confirm everything at once. */
  private static final class Switches implements SouthboundPort {
    @Override
    public CompletableFuture<Void> apply(String switchId, List<SwitchOperation> operations) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<SwitchTables> read(String switchId) {
      return CompletableFuture.completedFuture(SwitchTables.EMPTY);
    }

    @Override
    public void sendPacket(String switchId, int outPort, byte[] frame) {
      // Nobody is there to receive it.
    }
  }
}
