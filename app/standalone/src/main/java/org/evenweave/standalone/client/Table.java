package org.evenweave.standalone.client;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows in aligned columns: numbers to the right, all else to the left. A column that is empty in
 * all rows is left away. Not thread-safe.
 */
final class Table {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  Table(String... columns) {
    rows.add(List.of(columns));
  }

  /** Adds a row; null is an empty cell. */
  void row(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(cell == null ? "" : cell.toString());
    }
    rows.add(row);
  }

  boolean isEmpty() {
    return rows.size() == 1;
  }

  /** The heading and the rows, each with a line feed. */
  @Override
  public String toString() {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    boolean[] numeric = new boolean[columns];
    boolean[] isShown = new boolean[columns];
    for (int column = 0; column < columns; column++) {
      numeric[column] = !isEmpty();
      isShown[column] = isEmpty();
      for (int row = 0; row < rows.size(); row++) {
        String cell = rows.get(row).get(column);
        widths[column] = Math.max(widths[column], cell.length());
        isShown[column] |= row > 0 && !cell.isEmpty();
        numeric[column] &= row == 0 || cell.isEmpty() || Character.isDigit(cell.charAt(0));
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < columns; column++) {
        if (!isShown[column]) {
          continue;
        }
        String padding = " ".repeat(widths[column] - row.get(column).length());
        line.append(line.length() == 0 ? "" : GAP)
            .append(numeric[column] ? padding + row.get(column) : row.get(column) + padding);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
