package org.evenweave.engine.reconcile;

import java.util.List;
import java.util.Map;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.forwarding.CannotFitException;
import org.evenweave.engine.forwarding.DesiredState;
import org.evenweave.engine.forwarding.ForwardingManager;
import org.evenweave.engine.forwarding.HeldTables;
import org.evenweave.engine.forwarding.TableCompiler;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.paths.PathCalculator;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.port.SwitchTraits;
import org.evenweave.engine.reweighting.TrafficReweighting;
import org.evenweave.engine.runtime.Changes;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.engine.runtime.PlanTimes;
import org.evenweave.engine.runtime.StageTimes;
import org.evenweave.wcmp.weights.WeightRule;

/**
 * Computes the desired tables from a snapshot: the Path Calculator and the table compiler, with the
 * state that one computation leaves for the next. Belongs to the engine's loop.
 */
final class Computation {
  private final ForwardingManager forwarding;
  private final StageTimes times;
  private final TrafficReweighting traffic;
  private final FlowCompletion flows;

  /** The latest routes, whatever held switches have. */
  private Routing routes;

  private DesiredState desired;

  /** Whether {@link #desired} may hold rules that no route asks for. */
  private boolean keptCutOff;

  /**
   * @param changes gets that a computation would have another result
   */
  Computation(
      EngineLoop loop,
      ForwardingManager forwarding,
      StageTimes times,
      TrafficReweighting traffic,
      Changes changes) {
    this.forwarding = forwarding;
    this.times = times;
    this.traffic = traffic;
    flows = new FlowCompletion(loop, changes);
  }

  /**
   * What the switches of a configured fabric should hold when all of it is there.
   *
   * @throws CannotFitException naming the first switch whose table is too small
   */
  static DesiredState ofWholeFabric(EngineConfig config) {
    Snapshot whole = new Snapshot(0, config.intended(), List.of());
    WeightRule rule = config.weightRule();
    return TableCompiler.compile(
        // Groups of pairs are left out where they do not fit; those of destinations are wcmp's.
        PathCalculator.routes(whole, rule.isByPair() ? WeightRule.EFFECTIVE_CAPACITY : rule),
        config.maxOversubscription(),
        config.leaveOut(),
        Map.of(),
        SwitchTraits.UNKNOWN,
        null);
  }

  /** How long the stages of the latest verified plan took. */
  PlanTimes planTimes() {
    return times.latest();
  }

  /** The latest result; null before there is one. */
  DesiredState desired() {
    return desired;
  }

  /**
   * Computes what the switches should hold. While some are held, a switch that has no route keeps
   * its rule: it may lead on through a held switch that nobody else should use. What the limits of
   * a switch do not allow is done as well as they do ({@link DesiredState#beyondLimits}).
   */
  void compute(Snapshot snapshot, EngineConfig config) {
    boolean keepsCutOff = !snapshot.held().isEmpty();
    desired = compile(snapshot, config, keepsCutOff == keptCutOff ? desired : null, keepsCutOff);
    keptCutOff = keepsCutOff;
  }

  /** The same without rules that are kept, for when they could make packets loop. */
  void computeWithoutCutOff(Snapshot snapshot, EngineConfig config) {
    desired = compile(snapshot, config, null, false);
    keptCutOff = false;
  }

  /** What the switches should hold if those that are held could be programmed too. */
  DesiredState ofAll(Snapshot snapshot, EngineConfig config) {
    route(snapshot.withHeldPresent(), config);
    // What is adopted is compared with it: it must not change once flows are there.
    routes = routes.withFlowsOfDestinations();
    return tables(config, desired, false);
  }

  /** Whether flows are outstanding in the latest result. */
  boolean lacksFlows() {
    return routes != null && !routes.isComplete();
  }

  /** Computes the flows that are outstanding, beside the loop. */
  void completeFlows() {
    if (routes != null) {
      flows.begin(routes);
    }
  }

  /** Nothing more is to be computed. */
  void close() {
    flows.cancel();
  }

  private DesiredState compile(
      Snapshot snapshot, EngineConfig config, DesiredState earlier, boolean keepsCutOff) {
    route(snapshot, config);
    return tables(config, earlier, keepsCutOff);
  }

  private DesiredState tables(EngineConfig config, DesiredState earlier, boolean keepsCutOff) {
    DesiredState compiled = compileInForce(config, earlier, keepsCutOff);
    times.add(StageTimes.Stage.TABLES, -compiled.groupNanos());
    times.add(StageTimes.Stage.GROUPS, compiled.groupNanos());
    return compiled;
  }

  private void route(Snapshot snapshot, EngineConfig config) {
    if (routes != null && routes.snapshot().fabric() != snapshot.fabric()) {
      flows.cancel();
    }
    times.start();
    Routing next =
        times.time(
            StageTimes.Stage.ROUTES,
            () -> PathCalculator.routes(snapshot, config.weightRule(), routes));
    routes = flows.in(next);
  }

  /** Weights for traffic may need more groups than the tables hold, or others after a failure. */
  private DesiredState compileInForce(
      EngineConfig config, DesiredState earlier, boolean keepsCutOff) {
    Routing inForce = traffic.in(routes);
    DesiredState compiled = compile(inForce, config, earlier, keepsCutOff);
    if (inForce == routes || compiled.beyondLimits().isEmpty()) {
      return compiled;
    }
    traffic.revertToWcmp(String.join("; ", compiled.beyondLimits()));
    return compile(routes, config, earlier, keepsCutOff);
  }

  private DesiredState compile(
      Routing routing, EngineConfig config, DesiredState earlier, boolean keepsCutOff) {
    Map<String, SwitchTables> installed = forwarding.installed();
    return times.time(
        StageTimes.Stage.TABLES,
        () ->
            TableCompiler.compile(
                HeldTables.routedAround(routing, installed),
                config.maxOversubscription(),
                config.leaveOut(),
                installed,
                forwarding.limits().traits(),
                earlier,
                keepsCutOff));
  }
}
