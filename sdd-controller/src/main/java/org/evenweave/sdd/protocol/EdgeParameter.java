package org.evenweave.sdd.protocol;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.OptionalLong;

/**
 * A parameter of an order to edges; {@code docs/reference/edge.md} describes each. Each host's
 * configuration supplies the parameters that are not ordered.
 */
public enum EdgeParameter {
  GAP("/gapUs", 1_000),
  GAP_ADAPT("/gapAdaptPercent", 1),
  RTT("/rttUs", 1_000),
  RELAY("/relayUs", 1_000),
  METRIC_AGE("/metricAgeUs", 1_000),
  INTFLOW_DELAY("/intflow/delayUs", 1_000),
  INTFLOW_WINDOW("/intflow/windowUs", 1_000),
  INTFLOW_TIMEOUT("/intflow/timeoutUs", 1_000),
  INTFLOW_SETTLE("/intflow/settleUs", 1_000),
  INTFLOW_SIZE("/intflow/sizeBytes", 1);

  private final JsonPointer field;
  private final long unit;

  /**
   * @param field in orders as JSON
   * @param unit of that field, in the protocol's
   */
  EdgeParameter(String field, long unit) {
    this.field = JsonPointer.compile(field);
    this.unit = unit;
  }

  /** The field's path for people. */
  String path() {
    return field.toString().substring(1).replace('/', '.');
  }

  /** In the protocol's unit; empty if it is not ordered. */
  OptionalLong in(JsonNode order) {
    JsonNode value = order.at(field);
    return value.isMissingNode() ? OptionalLong.empty() : OptionalLong.of(value.asLong() * unit);
  }

  /** Writes what {@link #in} reads. */
  void put(ObjectNode order, long value) {
    JsonPointer rest = field;
    ObjectNode at = order;
    while (!rest.tail().matches()) {
      String name = rest.getMatchingProperty();
      at = at.has(name) ? (ObjectNode) at.get(name) : at.putObject(name);
      rest = rest.tail();
    }
    at.put(rest.getMatchingProperty(), value / unit);
  }
}
