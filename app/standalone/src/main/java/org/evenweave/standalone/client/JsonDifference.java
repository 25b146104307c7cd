package org.evenweave.standalone.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The differences between two JSON documents, by field. Elements of lists are matched by their
 * identifiers (a switch's id, a link's end, a subnet's prefix), so that an inserted element is one
 * difference.
 */
final class JsonDifference {
  /** Fields that name a row among its list, the first that it has. */
  private static final List<String> NAMES = List.of("id", "a", "prefix");

  private final String path;
  private final JsonNode before;
  private final JsonNode after;

  private JsonDifference(String path, JsonNode before, JsonNode after) {
    this.path = path;
    this.before = before;
    this.after = after;
  }

  /** The differences, in the order of the documents. */
  static List<JsonDifference> of(JsonNode before, JsonNode after) {
    List<JsonDifference> found = new ArrayList<>();
    compare("", before, after, found);
    return found;
  }

  private static void compare(
      String path, JsonNode before, JsonNode after, List<JsonDifference> found) {
    if (before.isObject() && after.isObject()) {
      compareFields(path.isEmpty() ? "" : path + ".", fields(before), fields(after), "", found);
    } else if (before.isArray() && after.isArray()) {
      compareFields(path + "[", rows(before), rows(after), "]", found);
    } else if (!same(before, after)) {
      found.add(new JsonDifference(path, before, after));
    }
  }

  /** 1 and 1.0 are the same number. */
  private static boolean same(JsonNode one, JsonNode other) {
    return (one.isNumber() && other.isNumber())
        ? one.decimalValue().compareTo(other.decimalValue()) == 0
        : one.equals(other);
  }

  private static void compareFields(
      String prefix,
      Map<String, JsonNode> before,
      Map<String, JsonNode> after,
      String suffix,
      List<JsonDifference> found) {
    Set<String> names = new LinkedHashSet<>(before.keySet());
    names.addAll(after.keySet());
    for (String name : names) {
      compare(
          prefix + name + suffix,
          before.getOrDefault(name, MissingNode.getInstance()),
          after.getOrDefault(name, MissingNode.getInstance()),
          found);
    }
  }

  private static Map<String, JsonNode> fields(JsonNode object) {
    Map<String, JsonNode> fields = new LinkedHashMap<>();
    object.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
    return fields;
  }

  private static Map<String, JsonNode> rows(JsonNode array) {
    Map<String, JsonNode> rows = new LinkedHashMap<>();
    int number = 0;
    for (JsonNode row : array) {
      String name = row.isValueNode() ? row.asText() : "";
      for (String field : NAMES) {
        name = name.isEmpty() ? row.path(field).asText() : name;
      }
      rows.put(name.isEmpty() || rows.containsKey(name) ? "#" + number : name, row);
      number++;
    }
    return rows;
  }

  /** A line for each: {@code + } what is new, {@code - } what is gone, {@code ~ } what changes. */
  static String text(JsonNode before, JsonNode after) {
    StringBuilder text = new StringBuilder();
    for (JsonDifference each : of(before, after)) {
      if (each.before.isMissingNode()) {
        text.append("+ ").append(each.path).append(": ").append(each.after);
      } else if (each.after.isMissingNode()) {
        text.append("- ").append(each.path).append(": ").append(each.before);
      } else {
        text.append("~ ").append(each.path).append(": ").append(each.before);
        text.append(" -> ").append(each.after);
      }
      text.append('\n');
    }
    return text.length() == 0 ? "Nothing differs.\n" : text.toString();
  }

  /** {@code [{"path":"strategy","before":"wcmp","after":"ecmp"}]}. */
  static JsonNode json(JsonNode before, JsonNode after) {
    ArrayNode rows = JsonNodeFactory.instance.arrayNode();
    for (JsonDifference each : of(before, after)) {
      ObjectNode row = rows.addObject().put("path", each.path);
      if (!each.before.isMissingNode()) {
        row.set("before", each.before);
      }
      if (!each.after.isMissingNode()) {
        row.set("after", each.after);
      }
    }
    return rows;
  }
}
