package org.evenweave.bench.leaveout;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.evenweave.bench.common.BenchmarkOptions;
import org.evenweave.bench.common.Progress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench leave-out}: what groups gain by leaving slow ports out. */
@Command(
    name = "leave-out",
    description = {
      "Compares groups that leave slow ports out with groups that have all ports.",
      "Reduces 30,000 random groups within limits and fits them into tables, with an"
          + " entry for each port (as Algorithms 1 to 4 do) and with leaveOut \"auto\". Always"
          + " the same for a seed. Prints Markdown, or JSON.",
      "Example: ./evenweave bench leave-out --json | jq '.rows[0]'"
    })
public final class LeaveOutCommand implements Runnable {
  private static final String[] LIMITS = {"1.02", "1.05", "1.1"};
  private static final int[] TABLES = {32, 256};
  private static final int GROUPS = 30_000;
  private static final int QUICK_GROUPS = 150;

  @Mixin private BenchmarkOptions options;

  @Override
  public void run() {
    int cases = SlowLinks.values().length * (LIMITS.length + TABLES.length);
    int groups = (options.quick ? QUICK_GROUPS : GROUPS) / cases;
    List<LeaveOutRow> rows = new ArrayList<>();
    for (SlowLinks kind : SlowLinks.values()) {
      Progress.say("%s", kind.label());
      for (String limit : LIMITS) {
        rows.add(LeaveOutRow.within(limit, kind, kind.groups(options.seed + rows.size(), groups)));
      }
      for (int entries : TABLES) {
        rows.add(LeaveOutRow.into(entries, kind, kind.groups(options.seed + rows.size(), groups)));
      }
    }
    System.out.print(options.json ? toJson(rows, groups) + "\n" : toMarkdown(rows));
  }

  private ObjectNode toJson(List<LeaveOutRow> rows, int groups) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("experiment", "leave-out").put("seed", options.seed).put("groupsPerRow", groups);
    for (LeaveOutRow row : rows) {
      ObjectNode node = json.withArray("rows").addObject();
      node.put("kind", row.kind.label()).put("asked", row.asked);
      put(node.putObject("never"), row.never);
      put(node.putObject("auto"), row.auto);
    }
    return json;
  }

  private static void put(ObjectNode node, LeaveOutRow.Means means) {
    node.put("meanEntries", means.entries)
        .put("meanOversubscription", means.oversubscription)
        .put("maxOversubscription", means.worstOversubscription)
        .put("meanPortsLeftOut", means.portsLeftOut)
        .put("meanCapacityUnused", means.capacityUnused);
  }

  private static String toMarkdown(List<LeaveOutRow> rows) {
    StringBuilder text =
        new StringBuilder(
            "| groups | asked | entries, mean: never | auto | oversubscription, mean: never | auto"
                + " | ports left out, mean | capacity unused, mean |\n"
                + "|---|---|--:|--:|--:|--:|--:|--:|\n");
    for (LeaveOutRow row : rows) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %s | %.1f | %.1f | %.4f | %.4f | %.2f | %.3f %% |%n",
              row.kind.label(),
              row.asked,
              row.never.entries,
              row.auto.entries,
              row.never.oversubscription,
              row.auto.oversubscription,
              row.auto.portsLeftOut,
              100 * row.auto.capacityUnused));
    }
    return text.toString();
  }
}
