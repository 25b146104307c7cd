package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A line in ONOS's style: {@code name=value, name=value}. */
final class Line {
  private final StringBuilder text;
  private String separator = "";

  /**
   * @param indent 0 for a line of its own, 1 for one that belongs to it, ...
   */
  Line(int indent) {
    text = new StringBuilder("   ".repeat(indent));
  }

  Line with(String name, Object value) {
    text.append(separator).append(name).append('=').append(value);
    separator = ", ";
    return this;
  }

  /** A field under its own name, if it is there. */
  Line with(JsonNode node, String field) {
    return node.has(field) ? with(field, node.get(field).asText()) : this;
  }

  /** A list's elements, with spaces between them. */
  Line withList(String name, JsonNode elements) {
    List<String> texts = new ArrayList<>();
    elements.forEach(element -> texts.add(element.asText()));
    return with(name, texts.isEmpty() ? "none" : String.join(" ", texts));
  }

  /** All fields that are no lists or objects, under their own names. */
  Line withValues(JsonNode node) {
    node.fields()
        .forEachRemaining(
            field -> {
              if (field.getValue().isValueNode()) {
                with(field.getKey(), field.getValue().asText());
              }
            });
    return this;
  }

  /** All fields that are no lists; those of objects as {@code object.field}. */
  Line withNestedValues(JsonNode node) {
    return withNestedValues("", node);
  }

  private Line withNestedValues(String prefix, JsonNode node) {
    node.fields()
        .forEachRemaining(
            field -> {
              if (field.getValue().isObject()) {
                withNestedValues(prefix + field.getKey() + ".", field.getValue());
              } else if (field.getValue().isValueNode()) {
                with(prefix + field.getKey(), field.getValue().asText());
              }
            });
    return this;
  }

  /** A group's id, as ONOS writes it. */
  Line withGroupId(JsonNode group) {
    return withGroupId("id", group);
  }

  Line withGroupId(String name, JsonNode node) {
    return with(name, "0x" + Integer.toHexString(node.get("groupId").asInt()));
  }

  /** A ratio, to four digits after the point. */
  Line withRatio(JsonNode node, String field) {
    return withRatio(field, node, field);
  }

  /** The same under another name. */
  Line withRatio(String name, JsonNode node, String field) {
    return node.has(field) ? withRatio(name, node.get(field).asDouble()) : this;
  }

  Line withRatio(String name, double value) {
    return with(name, String.format(Locale.ROOT, "%.4f", value));
  }

  /** A share of one, in per cent. */
  Line withShare(JsonNode node, String field) {
    return node.has(field)
        ? with(field, String.format(Locale.ROOT, "%.2f%%", 100 * node.get(field).asDouble()))
        : this;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
