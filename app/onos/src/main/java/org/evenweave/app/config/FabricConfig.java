package org.evenweave.app.config;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.ConfigReader;
import org.evenweave.engine.config.ConfigUpdate;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.forwarding.CannotFitException;
import org.evenweave.engine.reweighting.TrafficReweighting;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.weights.WeightRule;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.InvalidFieldException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration under {@code apps/org.evenweave.app/fabric} of ONOS's network configuration:
 * the same JSON as in the embedded runtime's file.
 *
 * <pre>
 * {"apps": {"org.evenweave.app": {"fabric": {
 *   "switches": [{"id": "s1-0", "dpid": "0000000000000001", "stage": 1, "table": 1024}],
 *   "links": [{"a": "s1-0/1", "b": "s2-0/1", "bps": 10000000000}],
 *   "subnets": [{"switch": "s1-0", "prefix": "10.0.0.0/24"}],
 *   "strategy": "wcmp",
 *   "maxOversubscription": 1.05,
 *   "excluded": {"switches": ["s2-1"], "links": ["s1-0/1"]}}}}}
 * </pre>
 *
 * <p>A configuration replaces the one before as a whole. One that would empty the fabric, as a
 * single field meant as a change of that field would, is refused unless it allows that ({@link
 * ConfigUpdate}).
 */
public final class FabricConfig extends Config<ApplicationId> {
  private static final Logger LOG = LoggerFactory.getLogger(FabricConfig.class);

  /** The name of the configuration below the application's. */
  public static final String KEY = "fabric";

  private final Supplier<EngineConfig> present;
  private final BooleanSupplier hasSolver;
  private final Refusals refusals;

  /**
   * @param present what is configured while this one is only proposed
   * @param hasSolver whether the application with the solver that strategy "traffic" needs is
   *     active
   * @param refusals is told whether a configuration is refused
   */
  public FabricConfig(
      Supplier<EngineConfig> present, BooleanSupplier hasSolver, Refusals refusals) {
    this.present = present;
    this.hasSolver = hasSolver;
    this.refusals = refusals;
  }

  /**
   * ONOS refuses the whole of a configuration that is not valid, and keeps the one before.
   *
   * @throws InvalidFieldException naming the field that is wrong, or the table that is too small
   */
  @Override
  public boolean isValid() {
    try {
      EngineConfig before = present.get();
      EngineConfig config = ConfigUpdate.replacement(before, object.toString());
      boolean begins =
          config.weightRule() == WeightRule.TRAFFIC && before.weightRule() != WeightRule.TRAFFIC;
      if (begins && !hasSolver.getAsBoolean()) {
        throw new FabricException("strategy", TrafficReweighting.NO_SOLVER);
      }
      requireFit(config);
      refusals.accepted();
      return true;
    } catch (FabricException e) {
      throw refused(e.path(), e.problem());
    }
  }

  private static void requireFit(EngineConfig config) {
    try {
      Engine.requireFit(config);
    } catch (CannotFitException e) {
      throw e.in(config.intended());
    }
  }

  /** Logged and shown, because neither {@code onos-netcfg} nor ONOS's own log shows the reason. */
  private InvalidFieldException refused(String field, String reason) {
    LOG.warn(
        "apps/{}/{} refused, the previous configuration stays in force: {}: {}",
        subject().name(),
        KEY,
        field,
        reason);
    refusals.refused(field, reason);
    return new InvalidFieldException(field, reason);
  }

  /**
   * For the engine.
   *
   * @throws FabricException naming the field that is wrong
   */
  public EngineConfig engineConfig() {
    // As text, so that numbers are read as they were written, whatever ONOS holds them in.
    return ConfigReader.parse(object.toString());
  }
}
