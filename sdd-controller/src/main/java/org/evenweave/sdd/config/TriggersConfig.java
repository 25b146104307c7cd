package org.evenweave.sdd.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;

/** The triggers that are to be watched. Immutable. */
public final class TriggersConfig {
  /** Without triggers. */
  public static final TriggersConfig NONE =
      new TriggersConfig(JsonNodeFactory.instance.arrayNode(), List.of());

  private final JsonNode document;
  private final List<Trigger> triggers;

  TriggersConfig(JsonNode document, List<Trigger> triggers) {
    this.document = document;
    this.triggers = List.copyOf(triggers);
  }

  /** As they were read: an array. */
  public JsonNode json() {
    return document.deepCopy();
  }

  /** In the order of the document; names differ. */
  public List<Trigger> triggers() {
    return triggers;
  }
}
