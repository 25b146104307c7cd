package org.evenweave.bench.figure312;

import java.util.List;
import java.util.Locale;

/** The figure's values and the claims about it as Markdown. */
final class MarkdownTables {
  private MarkdownTables() {}

  static String of(Figure312 figure, List<Claim> claims) {
    StringBuilder text = new StringBuilder();
    for (int uplinks : Figure312.UPLINKS) {
      text.append(
          String.format(
              Locale.ROOT,
              "### N = %d, D = %d%n%n"
                  + "| S1 switches | no reduction | 1.05 | 1.1 | shared: no reduction | 1.05 | 1.1 |%n"
                  + "|--:|--:|--:|--:|--:|--:|--:|%n",
              uplinks,
              Figure312.downlinks(uplinks)));
      for (Point point : figure.points(uplinks)) {
        text.append("| ").append(point.s1()).append(" |");
        for (boolean sharing : new boolean[] {false, true}) {
          for (Scheme scheme : Scheme.values()) {
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
}
