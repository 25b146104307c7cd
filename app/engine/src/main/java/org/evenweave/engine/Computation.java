package org.evenweave.engine;

import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.forwarding.CannotFitException;
import org.evenweave.engine.forwarding.DesiredState;
import org.evenweave.engine.forwarding.ForwardingManager;
import org.evenweave.engine.forwarding.HeldTables;
import org.evenweave.engine.forwarding.TableCompiler;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.paths.PathCalculator;
import org.evenweave.engine.paths.Routing;

/**
 * From snapshots to what switches should hold: the Path Calculator and the table compiler, with
 * what the one before leaves for the next. Belongs to the engine's loop.
 */
final class Computation {
  private final ForwardingManager forwarding;

  /** The latest routes, whatever held switches have. */
  private Routing routes;

  private DesiredState desired;

  /** Whether {@link #desired} may hold rules that no route asks for. */
  private boolean keptCutOff;

  Computation(ForwardingManager forwarding) {
    this.forwarding = forwarding;
  }

  /** The latest result; null before there is one. */
  DesiredState desired() {
    return desired;
  }

  /**
   * Computes what the switches should hold. While some are held, a switch that has no route keeps
   * its rule: it may lead on through a held switch that nobody else should use.
   *
   * @throws CannotFitException if a switch's groups do not fit its multipath table
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
    return compile(snapshot.withHeldPresent(), config, desired, false);
  }

  private DesiredState compile(
      Snapshot snapshot, EngineConfig config, DesiredState earlier, boolean keepsCutOff) {
    routes = PathCalculator.routes(snapshot, config.weightRule(), routes);
    return TableCompiler.compile(
        HeldTables.routedAround(routes, forwarding.installed()),
        config.maxOversubscription(),
        forwarding.installed(),
        forwarding::seedsHash,
        forwarding::groupIds,
        forwarding.standingRules(),
        earlier,
        keepsCutOff);
  }
}
