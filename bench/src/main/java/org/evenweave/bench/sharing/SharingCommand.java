package org.evenweave.bench.sharing;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import org.evenweave.bench.common.BenchmarkOptions;
import org.evenweave.bench.common.Progress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench sharing}: the destinations of a switch that can have fewer groups. */
@Command(
    name = "sharing",
    description = {
      "Divides the destinations of one switch among the groups that it can have.",
      "10,000 random destinations of 16 next hops share 1,000 groups: the time, the worst",
      "oversubscription, and the least that is proved. Then 100 destinations get other",
      "weights: the same, and how many move to another group. Prints Markdown, or JSON.",
      "Example: ./evenweave bench sharing --json | jq '.fresh.cpuMs'"
    })
public final class SharingCommand implements Runnable {
  @Mixin private BenchmarkOptions options;

  @Override
  public void run() {
    int destinations = options.quick ? 200 : 10_000;
    int groups = destinations / 10;
    int ports = 16;
    Progress.say("%d destinations, %d groups, %d ports", destinations, groups, ports);
    SharingRun run = new SharingRun(destinations, groups, ports, options.seed);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("experiment", "sharing").put("seed", options.seed);
    json.put("destinations", destinations).put("groups", groups).put("ports", ports);
    put(json.putObject("fresh"), run.fresh);
    put(json.putObject("afterEvent"), run.afterEvent).put("moved", run.moved);
    System.out.print(options.json ? json + "\n" : markdown(run));
  }

  private static ObjectNode put(ObjectNode node, SharingRun.Timed timed) {
    return node.put("ms", timed.millis)
        .put("cpuMs", timed.cpuMillis)
        .put("oversubscription", timed.shared.oversubscription())
        .put("leastOversubscription", timed.shared.lowerBound())
        .put("alone", timed.shared.alone());
  }

  private static String markdown(SharingRun run) {
    return "| sharing | ms | processor ms | oversubscription | at least | moved |\n"
        + "|---|--:|--:|--:|--:|--:|\n"
        + row("from nothing", run.fresh, "-")
        + row("after an event", run.afterEvent, Integer.toString(run.moved));
  }

  private static String row(String name, SharingRun.Timed timed, String moved) {
    return String.format(
        Locale.ROOT,
        "| %s | %.0f | %.0f | %.4f | %.4f | %s |%n",
        name,
        timed.millis,
        timed.cpuMillis,
        timed.shared.oversubscription(),
        timed.shared.lowerBound(),
        moved);
  }
}
