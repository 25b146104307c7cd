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
import org.evenweave.sdd.fastpass.Order;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench arbiter}: FastPass's timeslot allocation, timeslots per second on one core. */
@Command(
    name = "arbiter",
    description = {
      "Allocates timeslots to 256 nodes at loads from 0.1 to 0.99.",
      "Poisson requests of 10 timeslots on average, one core, steps of 16 timeslots:"
          + " for both orders timeslots per second of processor time, mean completion of"
          + " requests, how long a pair waited at most; and how evenly all pairs are served if"
          + " all want everything. With the FastPass authors' code: the ratios to it, at the"
          + " same requests and batches.",
      "Example: ./evenweave bench arbiter --json | jq '.cases[] | {load} +" + " .shortestRemaining'"
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
    Order[] orders = Order.values();
    double[][] ours = new double[runs.length][orders.length];
    AuthorsArbiter.Figures[] theirs = new AuthorsArbiter.Figures[runs.length];
    Arrays.setAll(theirs, i -> new AuthorsArbiter.Figures());
    for (int round = 1; round <= rounds; round++) {
      Progress.say("round %d of %d", round, rounds);
      for (int i = 0; i < runs.length; i++) {
        if (program.isPresent()) {
          theirs[i].merge(program.get().run(runs[i]));
        }
        for (Order order : orders) {
          double timeslotsPerSecond = runs[i].timeslotsPerSecond(order);
          ours[i][order.ordinal()] = Math.max(ours[i][order.ordinal()], timeslotsPerSecond);
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
      double load, double[] ours, ArbiterRun run, AuthorsArbiter.Figures theirs) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("load", load);
    for (Order order : Order.values()) {
      json.set(name(order), toJson(order, ours[order.ordinal()], run, theirs));
    }
    if (theirs.timeslotsPerSecond > 0) {
      json.putObject("authors")
          .put("timeslotsPerSecond", Math.round(theirs.timeslotsPerSecond))
          .put("meanCompletionTimeslots", theirs.meanCompletionTimeslots)
          .put("admittedShare", theirs.admittedShare);
    }
    return json;
  }

  private static ObjectNode toJson(
      Order order, double ours, ArbiterRun run, AuthorsArbiter.Figures theirs) {
    ArbiterRun.Seen seen = run.watch(order);
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("timeslotsPerSecond", Math.round(ours))
            .put("meanCompletionTimeslots", seen.meanCompletionTimeslots)
            .put("admittedShare", (double) seen.admitted / seen.requested)
            .put("longestWaitTimeslots", seen.longestWaitTimeslots);
    if (order == Order.LEAST_RECENTLY_SERVED) {
      json.put("waitBoundTimeslots", 2 * (run.nodes() - 2));
    }
    if (theirs.timeslotsPerSecond > 0) {
      json.put("ratio", ours / theirs.timeslotsPerSecond)
          .put("completionRatio", seen.meanCompletionTimeslots / theirs.meanCompletionTimeslots);
    }
    return json;
  }

  /** As in SDD configurations. */
  private static String name(Order order) {
    return order == Order.LEAST_RECENTLY_SERVED ? "leastRecentlyServed" : "shortestRemaining";
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
    System.out.printf(Locale.ROOT, "seed %d, %d nodes%n", options.seed, json.get("nodes").asInt());
    System.out.printf(
        Locale.ROOT,
        "%5s %-19s %12s %6s %11s %6s %10s %13s%n",
        "load",
        "order",
        "timeslots/s",
        "ratio",
        "completion",
        "ratio",
        "admitted",
        "longest wait");
    for (JsonNode c : json.get("cases")) {
      for (Order order : Order.values()) {
        print(c.get("load").asDouble(), name(order), c.get(name(order)));
      }
    }
    System.out.println("all to all: " + json.get("allToAll"));
    if (json.has("authors")) {
      System.out.println("authors: " + json.at("/authors/skipped").asText());
    }
  }

  private static void print(double load, String order, JsonNode c) {
    System.out.printf(
        Locale.ROOT,
        "%5.2f %-19s %,12d %6s %11.2f %6s %10.4f %13d%n",
        load,
        order,
        c.get("timeslotsPerSecond").asLong(),
        ratio(c, "ratio"),
        c.get("meanCompletionTimeslots").asDouble(),
        ratio(c, "completionRatio"),
        c.get("admittedShare").asDouble(),
        c.get("longestWaitTimeslots").asLong());
  }

  private static String ratio(JsonNode c, String field) {
    return c.has(field) ? String.format(Locale.ROOT, "%.3f", c.get(field).asDouble()) : "-";
  }
}
