package org.evenweave.sdd.handover;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * All that an operator may change while controllers run, as one state: the newest replaces every
 * other, so their order, delay and repetition do not matter. Immutable.
 *
 * <p>It applies only to the configuration that it changed ({@link #base}): an operator who edits
 * the configuration wants the new values, not earlier changes.
 */
public final class PolicyState {
  private static final String VERSION = "version";
  private static final String BASE = "base";
  private static final String SHARING = "sharing";
  private static final String TRIGGERS = "triggers";
  private static final String EDGE = "edge";

  private final long version;
  private final String base;
  private final JsonNode sharing;
  private final JsonNode triggers;
  private final JsonNode edge;
  private final String text;

  private PolicyState(
      long version, String base, JsonNode sharing, JsonNode triggers, JsonNode edge) {
    this.version = version;
    this.base = base;
    this.sharing = sharing;
    this.triggers = triggers;
    this.edge = edge;
    this.text = Digest.text(json());
  }

  /**
   * What a configuration says, which is older than any change.
   *
   * @param sharing {@code sharing}, an empty object without
   * @param triggers {@code triggers}, an empty array without
   * @param edge {@code edge} without its hosts
   */
  public static PolicyState configured(JsonNode sharing, JsonNode triggers, JsonNode edge) {
    return new PolicyState(0, Digest.of(sharing, triggers, edge), sharing, triggers, edge);
  }

  /** Another state of the same configuration. */
  public PolicyState changed(
      long newVersion, JsonNode newSharing, JsonNode newTriggers, JsonNode newEdge) {
    return new PolicyState(newVersion, base, newSharing, newTriggers, newEdge);
  }

  /**
   * Reads what {@link #json} wrote.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static PolicyState of(JsonNode json) {
    JsonNode base = json.path(BASE);
    if (!json.path(VERSION).canConvertToLong()
        || !base.isTextual()
        || !json.path(SHARING).isObject()
        || !json.path(TRIGGERS).isArray()
        || !json.path(EDGE).isObject()) {
      throw new IllegalArgumentException("is not a policy");
    }
    return new PolicyState(
        json.get(VERSION).asLong(),
        base.textValue(),
        json.get(SHARING),
        json.get(TRIGGERS),
        json.get(EDGE));
  }

  /** The shared clock at the change; 0 before any. */
  public long version() {
    return version;
  }

  /** Which configuration it changed. */
  public String base() {
    return base;
  }

  public JsonNode sharing() {
    return sharing;
  }

  public JsonNode triggers() {
    return triggers;
  }

  public JsonNode edge() {
    return edge;
  }

  /**
   * Whether it takes the other's place. Of two changes at the same nanosecond all choose the same
   * one.
   */
  public boolean isNewerThan(PolicyState other) {
    return version > 0
        && (version > other.version
            || (version == other.version && text.compareTo(other.text) > 0));
  }

  /** For another controller. */
  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put(VERSION, version).put(BASE, base);
    json.set(SHARING, sharing);
    json.set(TRIGGERS, triggers);
    json.set(EDGE, edge);
    return json;
  }
}
