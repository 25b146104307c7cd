package org.evenweave.engine.whatif;

import java.util.Map;
import java.util.function.UnaryOperator;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.forwarding.DesiredState;
import org.evenweave.engine.forwarding.HeldTables;
import org.evenweave.engine.forwarding.PlanPreview;
import org.evenweave.engine.forwarding.TableCompiler;
import org.evenweave.engine.forwarding.UnsafePlanException;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.paths.PathCalculator;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.port.SwitchTraits;
import org.evenweave.wcmp.fabric.FabricException;

/**
 * Computes the consequences of a change of the network, with the engine's Path Calculator, table
 * compiler, planner and verifier on a copy of what the engine knew at one moment, on the caller's
 * thread; the engine and the network are not affected. Immutable.
 */
public final class WhatIf {
  private final Snapshot snapshot;
  private final EngineConfig config;
  private final Map<String, SwitchTables> installed;
  private final SwitchTraits traits;
  private final UnaryOperator<Routing> weightsForTraffic;
  private final DesiredState before;

  /**
   * @param snapshot the network now
   * @param config in force
   * @param installed what the switches hold, by switch id
   * @param traits of the switches of the snapshot; asked on any thread
   * @param weightsForTraffic puts the weights for the traffic matrix in force into routes
   * @param before what the switches should hold now
   */
  public WhatIf(
      Snapshot snapshot,
      EngineConfig config,
      Map<String, SwitchTables> installed,
      SwitchTraits traits,
      UnaryOperator<Routing> weightsForTraffic,
      DesiredState before) {
    this.snapshot = snapshot;
    this.config = config;
    this.installed = installed;
    this.traits = traits;
    this.weightsForTraffic = weightsForTraffic;
    this.before = before;
  }

  /** What the switches should hold now. */
  public DesiredState before() {
    return before;
  }

  /**
   * What the switches would hold after a change.
   *
   * @throws FabricException with the path of what is not in the network
   */
  public DesiredState after(Supposition supposition) {
    return compile(SupposedNetwork.of(snapshot, supposition), null, installed);
  }

  /**
   * The plan that would take the switches there.
   *
   * @throws UnsafePlanException if the controller would reject it
   */
  public PlanPreview plan(DesiredState after) {
    return PlanPreview.of(installed, after);
  }

  /**
   * What the switches would hold after a further failure.
   *
   * @param near what they would hold before it
   */
  DesiredState afterFailure(Snapshot failed, DesiredState near) {
    return compile(failed, near, near.tables());
  }

  private DesiredState compile(
      Snapshot network, DesiredState near, Map<String, SwitchTables> held) {
    Routing routes =
        near == null
            ? PathCalculator.routes(network, config.weightRule())
            : PathCalculator.routes(network, config.weightRule(), near.routing());
    if (!routes.isComplete()) {
      routes = routes.with(routes.outstandingFlows(() -> false));
    }
    Routing plain = routes;
    Routing weighted = weightsForTraffic.apply(plain);
    DesiredState compiled = compile(weighted, near, held);
    // As the engine does: it gives up weights for traffic that exceed limits.
    return weighted == plain || compiled.beyondLimits().isEmpty()
        ? compiled
        : compile(plain, near, held);
  }

  private DesiredState compile(Routing routing, DesiredState near, Map<String, SwitchTables> held) {
    return TableCompiler.compile(
        HeldTables.routedAround(routing, held),
        config.maxOversubscription(),
        config.leaveOut(),
        held,
        traits,
        near,
        !routing.snapshot().held().isEmpty());
  }
}
