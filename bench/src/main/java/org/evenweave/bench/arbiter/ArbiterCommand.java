package org.evenweave.bench.arbiter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.evenweave.bench.common.AuthorsProgram;
import org.evenweave.bench.common.BenchmarkOptions;
import org.evenweave.bench.common.Progress;
import org.evenweave.sdd.fastpass.SlidingWindow;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench arbiter}: FastPass's timeslot allocation, timeslots per second on one core. */
@Command(
    name = "arbiter",
    description = {
      "Allocates timeslots to 256 nodes at loads from 0.1 to 0.99.",
      "Poisson requests of 10 timeslots on average, one core, steps of 16 timeslots:",
      "timeslots per second, mean completion of requests, how long a pair waited at most,",
      "and how evenly all pairs are served if all want everything. With the FastPass",
      "authors' code: the ratios to it, at the same requests and batches.",
      "Example: ./evenweave bench arbiter --json | jq '.cases[] | {load, ratio}'"
    })
public final class ArbiterCommand implements Runnable {
  private static final String VARIABLE = "EVENWEAVE_FASTPASS_PROGRAM";
  private static final double[] LOADS = {.1, .2, .3, .4, .5, .6, .7, .8, .9, .95, .99};

  @Mixin private BenchmarkOptions options;

  @Option(
      names = "--authors",
      paramLabel = "FILE",
      defaultValue = "${env:" + VARIABLE + ":-}",
      description =
          "A program around the FastPass authors' code; docs/reference/benchmarks.md says what it"
              + " reads and writes (default: $"
              + VARIABLE
              + ").")
  private String authors;

  @Override
  public void run() {
    Optional<AuthorsArbiter> program = AuthorsProgram.at(authors).map(AuthorsArbiter::new);
    int nodes = options.quick ? 16 : 256;
    int rounds = options.quick ? 1 : 5;
    ArbiterRun[] runs = new ArbiterRun[options.quick ? 2 : LOADS.length];
    for (int i = 0; i < runs.length; i++) {
      // The numbers of timeslots are those of the authors' benchmark.
      int[] timeslots = options.quick ? new int[] {100, 1_000} : new int[] {10_000, 50_000};
      runs[i] = new ArbiterRun(nodes, LOADS[i], timeslots[0], timeslots[1], options.seed);
    }
    double[] ours = new double[runs.length];
    AuthorsArbiter.Figures[] theirs = new AuthorsArbiter.Figures[runs.length];
    Arrays.setAll(theirs, i -> new AuthorsArbiter.Figures());
    for (int round = 1; round <= rounds; round++) {
      Progress.say("round %d of %d", round, rounds);
      for (int i = 0; i < runs.length && program.isPresent(); i++) {
        theirs[i].merge(program.get().run(runs[i]));
      }
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
      json.withArray("cases").add(toJson(LOADS[i], ours[i], runs[i], theirs[i]));
    }
    json.set("allToAll", allToAll(nodes));
    if (program.isEmpty()) {
      json.set("authors", AuthorsProgram.skipped(VARIABLE));
    }
    print(json);
  }

  private static ObjectNode toJson(
      double load, double ours, ArbiterRun run, AuthorsArbiter.Figures theirs) {
    ArbiterRun.Seen seen = run.watch();
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("load", load)
            .put("timeslotsPerSecond", Math.round(ours))
            .put("meanCompletionTimeslots", seen.meanCompletionTimeslots)
            .put("admittedShare", (double) seen.admitted / seen.requested)
            .put("longestWaitTimeslots", seen.longestWaitTimeslots)
            .put("waitBoundTimeslots", 2 * (run.nodes() - 2) + SlidingWindow.LATER_TIMESLOTS);
    if (theirs.timeslotsPerSecond > 0) {
      json.put("authorsTimeslotsPerSecond", Math.round(theirs.timeslotsPerSecond))
          .put("ratio", ours / theirs.timeslotsPerSecond)
          .put("authorsMeanCompletionTimeslots", theirs.meanCompletionTimeslots)
          .put("completionRatio", seen.meanCompletionTimeslots / theirs.meanCompletionTimeslots)
          .put("authorsAdmittedShare", theirs.admittedShare);
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
        "%5s %12s %6s %11s %6s %10s %13s%n",
        "load", "timeslots/s", "ratio", "completion", "ratio", "admitted", "longest wait");
    for (JsonNode c : json.get("cases")) {
      System.out.printf(
          Locale.ROOT,
          "%5.2f %,12d %6s %11.2f %6s %10.4f %13d%n",
          c.get("load").asDouble(),
          c.get("timeslotsPerSecond").asLong(),
          ratio(c, "ratio"),
          c.get("meanCompletionTimeslots").asDouble(),
          ratio(c, "completionRatio"),
          c.get("admittedShare").asDouble(),
          c.get("longestWaitTimeslots").asLong());
    }
    System.out.println("all to all: " + json.get("allToAll"));
    if (json.has("authors")) {
      System.out.println("authors: " + json.at("/authors/skipped").asText());
    }
  }

  private static String ratio(JsonNode c, String field) {
    return c.has(field) ? String.format(Locale.ROOT, "%.3f", c.get(field).asDouble()) : "-";
  }
}
