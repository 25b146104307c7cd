package org.evenweave.app.config;

import org.evenweave.engine.Engine;
import org.evenweave.engine.config.ConfigReader;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.forwarding.CannotFitException;
import org.evenweave.wcmp.fabric.FabricException;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.InvalidFieldException;
import org.onosproject.net.config.NetworkConfigService;

/**
 * What the operator gives under {@code apps/org.evenweave.app/fabric} of ONOS's network
 * configuration: the same JSON as the embedded runtime reads from its file.
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
 */
public final class FabricConfig extends Config<ApplicationId> {
  /** The name of the configuration below the application's. */
  public static final String KEY = "fabric";

  /** The engine's configuration: what is configured, or else what holds without. */
  public static EngineConfig engineConfig(NetworkConfigService configs, ApplicationId application) {
    FabricConfig configured = configs.getConfig(application, FabricConfig.class);
    return configured == null ? EngineConfig.empty() : configured.engineConfig();
  }

  /**
   * ONOS refuses the whole of a configuration that is not valid, and keeps the one before.
   *
   * @throws InvalidFieldException naming the field that is wrong, or the table that is too small
   */
  @Override
  public boolean isValid() {
    try {
      Engine.requireFit(engineConfig());
      return true;
    } catch (FabricException e) {
      String reason = e.getMessage().substring((e.path() + ": ").length());
      throw new InvalidFieldException(e.path(), reason);
    } catch (CannotFitException e) {
      throw new InvalidFieldException("switches", e.getMessage());
    }
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
