package org.evenweave.standalone.client;

import com.fasterxml.jackson.databind.JsonNode;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.ConfigReader;
import org.evenweave.engine.config.ConfigWriter;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.forwarding.CannotFitException;
import org.evenweave.wcmp.fabric.FabricException;

/** A configuration in a file, checked with the controller's own code: what it would refuse too. */
final class WantedConfiguration {
  private final String text;
  private final EngineConfig config;

  private WantedConfiguration(String text, EngineConfig config) {
    this.text = text;
    this.config = config;
  }

  /**
   * @param file a path, or {@code -} for standard input
   */
  static WantedConfiguration read(String file) throws ClientException {
    String text = ConfigFile.text(file);
    ConfigFile.json(file, text);
    EngineConfig config;
    try {
      config = ConfigReader.parse(text);
    } catch (FabricException e) {
      throw new ClientException(ClientException.WRONG_INPUT, file + ": " + e.getMessage());
    }
    try {
      Engine.requireFit(config);
    } catch (CannotFitException e) {
      throw new ClientException(
          ClientException.WRONG_INPUT, file + ": " + e.in(config.intended()).getMessage());
    }
    return new WantedConfiguration(text, config);
  }

  /** As it is in the file. */
  String text() {
    return text;
  }

  /** As the controller would show it. */
  JsonNode normalised() {
    return ConfigWriter.write(config);
  }
}
