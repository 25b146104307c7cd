package org.evenweave.app.config;

import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.config.FabricReader;
import org.evenweave.wcmp.fabric.FabricException;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.InvalidFieldException;
import org.onosproject.net.config.NetworkConfigService;

/**
 * What the operator gives under {@code apps/org.evenweave.app/fabric} of ONOS's network
 * configuration: the same JSON as the embedded runtime reads from its file.
 */
public final class FabricConfig extends Config<ApplicationId> {
  /** The name of the configuration below the application's. */
  public static final String KEY = "fabric";

  /** The engine's configuration: what is configured, or else what holds without. */
  public static EngineConfig engineConfig(NetworkConfigService configs, ApplicationId application) {
    FabricConfig configured = configs.getConfig(application, FabricConfig.class);
    return configured == null ? EngineConfig.empty() : configured.engineConfig();
  }

  /** ONOS refuses the whole of a configuration that is not valid, and keeps the one before. */
  @Override
  public boolean isValid() {
    try {
      engineConfig();
      return true;
    } catch (FabricException e) {
      throw new InvalidFieldException(e.path(), e.getMessage());
    }
  }

  /**
   * For the engine.
   *
   * @throws FabricException naming the field that is wrong
   */
  public EngineConfig engineConfig() {
    return FabricReader.parse(object.toString());
  }
}
