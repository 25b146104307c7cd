package org.evenweave.bench.figure312;

import java.util.List;
import java.util.Locale;
import org.evenweave.wcmp.fabric.LeaveOut;

/** The figure's values and the claims about it as Markdown. */
final class MarkdownTables {
  /**
   * The largest fabrics have as many groups, so that a table of theirs has an entry for each port.
   */
  private static final int LARGEST_GROUPS = Figure312.MOST_S1 - 1;

  private MarkdownTables() {}

  static String of(Figure312 figure, List<Claim> claims) {
    StringBuilder text = new StringBuilder();
    for (int uplinks : Figure312.UPLINKS) {
      text.append(
          String.format(
              Locale.ROOT,
              "### N = %d, D = %d%n%n| S1 switches | no reduction | 1.05 | 1.1 | shared: no"
                  + " reduction | 1.05 | 1.1 |%n|--:|--:|--:|--:|--:|--:|--:|%n",
              uplinks,
              Figure312.downlinks(uplinks)));
      for (Point point : figure.points(uplinks)) {
        text.append("| ").append(point.s1()).append(" |");
        for (boolean sharing : new boolean[] {false, true}) {
          for (Scheme scheme : Scheme.PAPER) {
            text.append(' ').append(point.maxEntries(scheme, sharing)).append(" |");
          }
        }
        text.append('\n');
      }
      text.append('\n');
    }
    text.append("### Claims\n\n| the paper | here | holds |\n|---|---|---|\n");
    for (Claim claim : claims) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %s | %s |%n",
              claim.paper,
              claim.here,
              claim.holds ? "yes" : "**no**"));
    }
    return text.toString();
  }

  /** What leaving ports out changes: entries within limits, and the oversubscription of a table. */
  static String ofLeavingOut(Figure312 figure) {
    StringBuilder text = new StringBuilder();
    for (int uplinks : Figure312.UPLINKS) {
      int table = uplinks * LARGEST_GROUPS;
      text.append(
          String.format(
              Locale.ROOT,
              "### N = %d, D = %d%n%n"
                  + "| S1 switches | 1.05: never | auto | 1.1: never | auto"
                  + " | table of %d: never | auto |%n"
                  + "|--:|--:|--:|--:|--:|--:|--:|%n",
              uplinks,
              Figure312.downlinks(uplinks),
              table));
      for (Point point : figure.points(uplinks)) {
        text.append(
            String.format(
                Locale.ROOT,
                "| %d | %d | %d | %d | %d | %.4f | %.4f |%n",
                point.s1(),
                point.maxEntries(Scheme.LIMIT_1_05, false),
                point.maxEntries(Scheme.LEAVING_OUT_1_05, false),
                point.maxEntries(Scheme.LIMIT_1_1, false),
                point.maxEntries(Scheme.LEAVING_OUT_1_1, false),
                point.leastOversubscription(table, true, LeaveOut.NEVER).toDouble(),
                point.leastOversubscription(table, true, LeaveOut.AUTO).toDouble()));
      }
      text.append('\n');
    }
    return text.toString();
  }
}
