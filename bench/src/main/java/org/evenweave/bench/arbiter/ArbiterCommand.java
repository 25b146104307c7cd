package org.evenweave.bench.arbiter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.evenweave.bench.common.AuthorsProgram;
import org.evenweave.bench.common.BenchmarkOptions;
import org.evenweave.bench.common.Progress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench arbiter}: FastPass's timeslot allocation, timeslots per second on one core. */
@Command(
    name = "arbiter",
    description = {
      "Allocates timeslots to 256 nodes at loads from 0.1 to 0.99.",
      "Poisson requests of 10 timeslots on average, one core: timeslots per second, how",
      "long a pair waited at most, and how evenly all pairs are served if all want",
      "everything. With the FastPass authors' benchmark_graph_algo: the ratio to it.",
      "Example: ./evenweave bench arbiter --json | jq '.cases[] | {load, ratio}'"
    })
public final class ArbiterCommand implements Runnable {
  private static final String VARIABLE = "EVENWEAVE_FASTPASS_BENCHMARK";
  private static final double[] LOADS = {.1, .2, .3, .4, .5, .6, .7, .8, .9, .95, .99};

  @Mixin private BenchmarkOptions options;

  @Option(
      names = "--authors",
      paramLabel = "FILE",
      defaultValue = "${env:" + VARIABLE + ":-}",
      description =
          "The FastPass authors' benchmark_graph_algo, built with the machine's TSC frequency"
              + " (default: $"
              + VARIABLE
              + ").")
  private String authors;

  @Override
  public void run() {
    Optional<AuthorsProgram> program = AuthorsProgram.at(authors);
    int nodes = options.quick ? 16 : 256;
    int rounds = options.quick ? 1 : 5;
    ArbiterRun[] runs = new ArbiterRun[options.quick ? 2 : LOADS.length];
    for (int i = 0; i < runs.length; i++) {
      // The numbers of timeslots are those of the authors' benchmark.
      int[] timeslots = options.quick ? new int[] {100, 1_000} : new int[] {10_000, 50_000};
      runs[i] = new ArbiterRun(nodes, LOADS[i], timeslots[0], timeslots[1], options.seed);
    }
    double[] ours = new double[runs.length];
    Map<String, Double> theirs = new HashMap<>();
    for (int round = 1; round <= rounds; round++) {
      Progress.say("round %d of %d", round, rounds);
      program.ifPresent(p -> runAuthors(p, theirs));
      // Twice: by turns with another process, a single pass would find cold caches.
      for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < runs.length; i++) {
          ours[i] = Math.max(ours[i], runs[i].timeslotsPerSecond());
        }
      }
    }
    ObjectNode json =
        JsonNodeFactory.instance.objectNode().put("seed", options.seed).put("nodes", nodes);
    for (int i = 0; i < runs.length; i++) {
      json.withArray("cases").add(toJson(LOADS[i], nodes, ours[i], runs[i].watch(), theirs));
    }
    json.set("allToAll", allToAll(nodes));
    if (program.isEmpty()) {
      json.set("authors", AuthorsProgram.skipped(VARIABLE));
    }
    print(json);
  }

  /** Its lines: target load, nodes, microseconds per timeslot, and more. */
  private static void runAuthors(AuthorsProgram program, Map<String, Double> best) {
    List<String> lines = program.run("", "0");
    for (String line : lines.subList(1, lines.size())) {
      String[] columns = line.split(",", -1);
      double timeslotsPerSecond = 1e6 / Double.parseDouble(columns[2]);
      best.merge(key(Double.parseDouble(columns[0])), timeslotsPerSecond, Math::max);
    }
  }

  private static String key(double load) {
    return String.format(Locale.ROOT, "%.2f", load);
  }

  private static ObjectNode toJson(
      double load, int nodes, double ours, ArbiterRun.Seen seen, Map<String, Double> theirs) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("load", load)
            .put("timeslotsPerSecond", Math.round(ours))
            .put("admittedShare", (double) seen.admitted / seen.requested)
            .put("longestWaitTimeslots", seen.longestWaitTimeslots)
            .put("waitBoundTimeslots", 2 * (nodes - 2));
    Double authors = theirs.get(key(load));
    if (authors != null) {
      json.put("authorsTimeslotsPerSecond", Math.round(authors)).put("ratio", ours / authors);
    }
    return json;
  }

  private static ObjectNode allToAll(int nodes) {
    int timeslots = 40 * nodes;
    int[] got = ArbiterRun.allToAll(nodes, timeslots);
    return JsonNodeFactory.instance
        .objectNode()
        .put("timeslots", timeslots)
        .put("leastOfAPair", got[0])
        .put("mostOfAPair", got[got.length - 1]);
  }

  private void print(ObjectNode json) {
    if (options.json) {
      System.out.println(json);
      return;
    }
    System.out.printf("seed %d, %d nodes%n", options.seed, json.get("nodes").asInt());
    System.out.printf(
        "%5s %12s %12s %6s %10s %13s%n",
        "load", "timeslots/s", "authors", "ratio", "admitted", "longest wait");
    for (JsonNode c : json.get("cases")) {
      boolean compared = c.has("ratio");
      System.out.printf(
          Locale.ROOT,
          "%5.2f %,12d %12s %6s %10.4f %13d%n",
          c.get("load").asDouble(),
          c.get("timeslotsPerSecond").asLong(),
          compared ? String.format("%,d", c.get("authorsTimeslotsPerSecond").asLong()) : "-",
          compared ? String.format(Locale.ROOT, "%.2f", c.get("ratio").asDouble()) : "-",
          c.get("admittedShare").asDouble(),
          c.get("longestWaitTimeslots").asLong());
    }
    System.out.println("all to all: " + json.get("allToAll"));
    if (json.has("authors")) {
      System.out.println("authors: " + json.at("/authors/skipped").asText());
    }
  }
}
