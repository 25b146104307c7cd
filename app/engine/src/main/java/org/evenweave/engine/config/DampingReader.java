package org.evenweave.engine.config;

import com.fasterxml.jackson.databind.JsonNode;
import org.evenweave.wcmp.fabric.FabricException;

/** Reads a {@link DampingConfig} from JSON; a field that is left out has its default. */
final class DampingReader {
  private DampingReader() {}

  /**
   * Reads the object.
   *
   * @param node valid by its part of {@code docs/schema/configuration.json}
   * @throws FabricException with the path of the field that is wrong, and what would be right
   */
  static DampingConfig read(JsonNode node) {
    DampingConfig ifLeftOut = DampingConfig.DEFAULT;
    boolean isEnabled = node.path("enabled").asBoolean(ifLeftOut.enabled());
    int halfLifeSeconds = node.path("halfLifeSeconds").asInt(ifLeftOut.halfLifeSeconds());
    int suppress = node.path("suppress").asInt(ifLeftOut.suppress());
    int reuse = node.path("reuse").asInt(ifLeftOut.reuse());
    int maxHoldDownSeconds = node.path("maxHoldDownSeconds").asInt(ifLeftOut.maxHoldDownSeconds());
    try {
      return new DampingConfig(isEnabled, halfLifeSeconds, suppress, reuse, maxHoldDownSeconds);
    } catch (IllegalArgumentException e) {
      throw new FabricException("damping", e.getMessage());
    }
  }
}
