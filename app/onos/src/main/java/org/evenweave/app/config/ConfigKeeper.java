package org.evenweave.app.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Supplier;
import org.evenweave.app.cluster.SharedText;
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
 * <p>Where the network configuration is removed, what was in force stays in force: nobody empties a
 * fabric by omission. For that a copy of it is in ONOS's store, for the next leader too.
 *
 * <p>Both directions are guarded by one lock. So when a change of the network configuration is
 * followed, it holds every change that the engine has taken, and never leads the engine back.
 */
public final class ConfigKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(ConfigKeeper.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final NetworkConfigService configs;
  private final ApplicationId application;
  private final SharedText kept;

  /**
   * @param kept the configuration that was in force last
   */
  public ConfigKeeper(NetworkConfigService configs, ApplicationId application, SharedText kept) {
    this.configs = configs;
    this.application = application;
    this.kept = kept;
  }

  /**
   * The present network configuration, or else the one that was in force last; empty if none ever
   * was.
   */
  public EngineConfig configured() {
    FabricConfig present = present();
    return present == null
        ? kept.get().map(ConfigReader::parse).orElseGet(EngineConfig::empty)
        : present.engineConfig();
  }

  /** Whether it is known what is configured: the cluster's store may take a while to say. */
  public boolean isKnown() {
    return present() != null || kept.isKnown();
  }

  private FabricConfig present() {
    return configs.getConfig(application, FabricConfig.class);
  }

  /**
   * What is wrong with the network configuration itself.
   *
   * @return a sentence each
   */
  public List<String> problems() {
    return present() == null && configured().intended().switchCount() > 0
        ? List.of(removed())
        : List.of();
  }

  private String removed() {
    return "ONOS's network configuration apps/"
        + application.name()
        + "/"
        + FabricConfig.KEY
        + " was removed: the previous one stays in force until another is pushed; to remove all"
        + " groups and rules, push an empty one with \""
        + ConfigReader.ALLOW_EMPTY
        + "\": true";
  }

  /** Keeps the network configuration, which is in force, for when it is removed. */
  public void keep() {
    FabricConfig present = present();
    if (present != null) {
      kept.put(plain(present.engineConfig()).toString());
    }
  }

  /** Nothing is in force any more, and nothing is to come back. */
  public void forget() {
    kept.remove();
  }

  /**
   * Applies the present network configuration to a running engine.
   *
   * @return false if that takes a new engine
   */
  public synchronized boolean follow(Engine engine) {
    try {
      engine.reconfigure(configured());
      keep();
      problems().forEach(LOG::warn);
    } catch (CannotFitException e) {
      LOG.error("the configured fabric does not fit, the previous one stays: {}", e.getMessage());
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
