package org.evenweave.standalone.sdd;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * JSON as text for people: values as lines, lists of objects as tables. Objects in a row become
 * columns of their own, lists of values or of pairs in a row one cell, and lists of other objects
 * tables behind the row's.
 */
final class TextTables {
  private TextTables() {}

  /** An object's values, then its tables. */
  static String of(JsonNode object) {
    StringBuilder values = new StringBuilder();
    StringBuilder tables = new StringBuilder();
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      JsonNode value = field.getValue();
      if (value.isArray()) {
        tables.append('\n').append(field.getKey()).append('\n').append(table(value));
      } else if (value.isObject()) {
        tables.append('\n').append(field.getKey()).append('\n').append(of(value));
      } else {
        values.append(field.getKey()).append(": ").append(value.asText()).append('\n');
      }
    }
    return values.append(tables).toString();
  }

  private static String table(JsonNode rows) {
    Set<String> columns = new LinkedHashSet<>();
    List<Map<String, String>> cells = new ArrayList<>();
    for (JsonNode row : rows) {
      Map<String, String> cellsOfRow = new java.util.LinkedHashMap<>();
      flatten("", row, cellsOfRow);
      columns.addAll(cellsOfRow.keySet());
      cells.add(cellsOfRow);
    }
    if (cells.isEmpty()) {
      return "(none)\n";
    }
    List<List<String>> lines = new ArrayList<>();
    lines.add(new ArrayList<>(columns));
    for (Map<String, String> row : cells) {
      List<String> line = new ArrayList<>();
      columns.forEach(column -> line.add(row.getOrDefault(column, "")));
      lines.add(line);
    }
    StringBuilder text = new StringBuilder(aligned(lines, columns.size()));
    for (JsonNode row : rows) {
      text.append(tablesIn(row));
    }
    return text.toString();
  }

  /** The tables of a row, each known by the row's first value. */
  private static String tablesIn(JsonNode row) {
    StringBuilder tables = new StringBuilder();
    row.properties()
        .forEach(
            field -> {
              if (isTable(field.getValue())) {
                String owner = row.elements().next().asText();
                tables.append('\n').append(field.getKey()).append(" of ").append(owner);
                tables.append('\n').append(table(field.getValue()));
              }
            });
    return tables.toString();
  }

  private static boolean isTable(JsonNode value) {
    return value.isArray() && value.path(0).isObject() && !isPair(value.get(0));
  }

  private static boolean isPair(JsonNode value) {
    return value.has("from") && value.has("to");
  }

  private static void flatten(String prefix, JsonNode value, Map<String, String> cells) {
    for (Map.Entry<String, JsonNode> field : value.properties()) {
      if (field.getValue().isObject()) {
        flatten(prefix + field.getKey() + ".", field.getValue(), cells);
      } else if (!isTable(field.getValue())) {
        cells.put(prefix + field.getKey(), cell(field.getValue()));
      }
    }
  }

  private static String cell(JsonNode value) {
    if (!value.isArray()) {
      return value.asText();
    }
    List<String> parts = new ArrayList<>();
    for (JsonNode part : value) {
      parts.add(isPair(part) ? pair(part) : part.asText());
    }
    return String.join(" ", parts);
  }

  /** As in h0>h4, or h0>h4/1 by path 1. */
  private static String pair(JsonNode pair) {
    String path = pair.has("path") ? "/" + pair.get("path").asText() : "";
    return pair.get("from").asText() + ">" + pair.get("to").asText() + path;
  }

  private static String aligned(List<List<String>> lines, int columns) {
    int[] widths = new int[columns];
    for (List<String> line : lines) {
      for (int column = 0; column < columns; column++) {
        widths[column] = Math.max(widths[column], line.get(column).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      StringBuilder padded = new StringBuilder();
      for (int column = 0; column < columns; column++) {
        padded.append(
            String.format(
                Locale.ROOT, "%-" + Math.max(1, widths[column]) + "s  ", line.get(column)));
      }
      text.append(padded.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
