package org.evenweave.app.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Supplier;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.ConfigChange;
import org.evenweave.engine.config.ConfigReader;
import org.evenweave.engine.config.ConfigWriter;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.forwarding.CannotFitException;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricException;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.config.NetworkConfigService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the leader's engine and ONOS's network configuration in sync: a changed network
 * configuration reaches the engine, and what is changed in the engine is written to the network
 * configuration, so that the next leader begins with it.
 *
 * <p>Both directions are guarded by one lock. So when a change of the network configuration is
 * followed, it holds every change that the engine has taken, and never leads the engine back.
 */
public final class ConfigKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(ConfigKeeper.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final NetworkConfigService configs;
  private final ApplicationId application;

  public ConfigKeeper(NetworkConfigService configs, ApplicationId application) {
    this.configs = configs;
    this.application = application;
  }

  /** The present network configuration. */
  public EngineConfig configured() {
    return FabricConfig.engineConfig(configs, application);
  }

  /**
   * Applies the present network configuration to a running engine.
   *
   * @return false if that takes a new engine
   */
  public synchronized boolean follow(Engine engine) {
    try {
      engine.reconfigure(configured());
    } catch (CannotFitException e) {
      LOG.error("the configured fabric does not fit, the one before stays: {}", e.getMessage());
    } catch (FabricException e) {
      LOG.info("the configuration gives switches other names; the engine restarts with them");
      return false;
    }
    return true;
  }

  /** Runs an action that may change the configuration of the engine, and stores the change. */
  public synchronized <T> T change(Engine engine, Supplier<T> action) {
    T result = action.get();
    EngineConfig now = engine.configuration();
    if (!new ConfigChange(configured(), now).isEmpty()) {
      configs.applyConfig(application, FabricConfig.class, plain(now));
    }
    return result;
  }

  /**
   * ONOS's store can hold the nodes that come from reading text, not those of exact decimals. What
   * the engine has taken may be empty: the request for that said so ({@code allowEmpty}).
   */
  private static JsonNode plain(EngineConfig config) {
    try {
      ObjectNode written = (ObjectNode) JSON.readTree(ConfigWriter.write(config).toString());
      Fabric fabric = config.intended();
      if (Math.min(Math.min(fabric.switchCount(), fabric.linkCount()), fabric.subnetCount()) == 0) {
        written.put(ConfigReader.ALLOW_EMPTY, true);
      }
      return written;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
