package org.evenweave.engine.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import org.evenweave.wcmp.fabric.FabricException;

/** Reads a {@link DampingConfig} from JSON; a field that is left out has its default. */
final class DampingReader {
  static final Set<String> FIELDS =
      Set.of("enabled", "halfLifeSeconds", "suppress", "reuse", "maxHoldDownSeconds");

  /** A day; penalties are as many, of 1000 for a failure. */
  private static final int MAX_NUMBER = 86_400;

  private DampingReader() {}

  /**
   * Reads the object.
   *
   * @throws FabricException with the path of the field that is wrong, and what would be right
   */
  static DampingConfig read(JsonNode node) {
    FabricReader.requireObject("damping", node, FIELDS);
    JsonNode enabled = node.get("enabled");
    if (enabled != null && !enabled.isBoolean()) {
      throw new FabricException("damping.enabled", "must be true or false");
    }
    DampingConfig ifLeftOut = DampingConfig.DEFAULT;
    boolean isEnabled = enabled == null ? ifLeftOut.enabled() : enabled.booleanValue();
    int halfLifeSeconds = number(node, "halfLifeSeconds", ifLeftOut.halfLifeSeconds());
    int suppress = number(node, "suppress", ifLeftOut.suppress());
    int reuse = number(node, "reuse", ifLeftOut.reuse());
    int maxHoldDownSeconds = number(node, "maxHoldDownSeconds", ifLeftOut.maxHoldDownSeconds());
    try {
      return new DampingConfig(isEnabled, halfLifeSeconds, suppress, reuse, maxHoldDownSeconds);
    } catch (IllegalArgumentException e) {
      throw new FabricException("damping", e.getMessage());
    }
  }

  private static int number(JsonNode damping, String field, int ifLeftOut) {
    JsonNode node = damping.get(field);
    if (node == null) {
      return ifLeftOut;
    }
    if (!node.isIntegralNumber()
        || !node.canConvertToInt()
        || node.intValue() < 1
        || node.intValue() > MAX_NUMBER) {
      throw new FabricException(
          "damping." + field, "must be a whole number from 1 to " + MAX_NUMBER);
    }
    return node.intValue();
  }
}
