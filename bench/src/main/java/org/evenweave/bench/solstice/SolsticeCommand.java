package org.evenweave.bench.solstice;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.evenweave.bench.common.AuthorsProgram;
import org.evenweave.bench.common.BenchmarkOptions;
import org.evenweave.bench.common.Progress;
import org.evenweave.sdd.birkhoff.BirkhoffVonNeumann;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.schedule.Scheduler;
import org.evenweave.sdd.solstice.Solstice;
import org.evenweave.sdd.solstice.baseline.PrintedSolstice;
import org.evenweave.sdd.tdma.StridedTdma;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench solstice}: weeks of a circuit switch, how fast and how good. */
@Command(
    name = "solstice",
    description = {
      "Plans weeks of a circuit switch with a packet switch beside it.",
      "8, 64 and 256 hosts, 100 Gb/s circuits, 10 Gb/s to the packet switch, weeks of 3"
          + " ms, nights of 20 us; large and small flows, and demand of all pairs: time per"
          + " week, and what share of demand circuits serve. Solstice here and as printed,"
          + " Birkhoff-von Neumann, strided TDMA; with the Solstice authors' code: the ratios"
          + " to two modes of it.",
      "Example: ./evenweave bench solstice --json | jq '.cases[] | {n, medianMs,"
          + " circuitServed}'"
    })
public final class SolsticeCommand implements Runnable {
  private static final String VARIABLE = "EVENWEAVE_SOLSTICE_PROGRAM";
  private static final String OURS = "evenweave";
  private static final String AUTHORS = "authors";
  private static final String AUTHORS_FASTEST = "authorsFastest";

  /**
   * The compiler is done with a scheduler after some ten thousand weeks of 8 hosts, or after this
   * time with many: a controller plans for hours what it plans here for moments.
   */
  private static final long WARM_UP_NS = 1_500_000_000L;

  @Mixin private BenchmarkOptions options;

  @Option(
      names = "--authors",
      paramLabel = "FILE",
      defaultValue = "${env:" + VARIABLE + ":-}",
      description =
          "A program around the Solstice authors' code; docs/reference/benchmarks.md says what it"
              + " reads and writes (default: $"
              + VARIABLE
              + ").")
  private String authors;

  @Override
  public void run() {
    Optional<AuthorsProgram> program = AuthorsProgram.at(authors);
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("seed", options.seed);
    int[] sizes = options.quick ? new int[] {8} : new int[] {8, 64, 256};
    for (Workload workload : Workload.values()) {
      for (int hosts : sizes) {
        Progress.say("%s, %d hosts", name(workload), hosts);
        json.withArray("cases").add(measure(workload, hosts, program));
      }
    }
    if (program.isEmpty()) {
      json.set("authors", AuthorsProgram.skipped(VARIABLE));
    }
    print(json);
  }

  private static String name(Workload workload) {
    return workload.name().toLowerCase(Locale.ROOT);
  }

  private ObjectNode measure(Workload workload, int hosts, Optional<AuthorsProgram> program) {
    CircuitNetwork network =
        new CircuitNetwork(hosts, 100_000_000_000L, 10_000_000_000L, 20_000, 3_000_000);
    // The authors' max-min cut takes seconds for dense demand of 256 hosts.
    int matrices = options.quick ? 2 : hosts > 64 ? 4 : 40;
    int rounds = options.quick ? 1 : 4;
    Random random = new Random(options.seed);
    List<DemandMatrix> demands = new ArrayList<>();
    for (int i = 0; i < matrices; i++) {
      demands.add(workload.demand(network, random));
    }
    Map<String, Scheduler> schedulers = new LinkedHashMap<>();
    schedulers.put(OURS, new Solstice(network));
    schedulers.put("paper", new PrintedSolstice(network));
    schedulers.put("birkhoff", new BirkhoffVonNeumann(network));
    schedulers.put("tdma", new StridedTdma(network, 80_000));
    Map<String, Plans> plans = new LinkedHashMap<>();
    schedulers.keySet().forEach(name -> plans.put(name, new Plans(rounds * matrices)));
    Map<String, AuthorsSolstice> theirs = new LinkedHashMap<>();
    program.ifPresent(p -> theirs.put(AUTHORS, AuthorsSolstice.asItIs(p)));
    program.ifPresent(p -> theirs.put(AUTHORS_FASTEST, AuthorsSolstice.fastest(p)));
    theirs.keySet().forEach(name -> plans.put(name, new Plans(rounds * matrices)));
    schedulers.values().forEach(scheduler -> warmUp(scheduler, demands));
    for (int round = 0; round < rounds; round++) {
      theirs.forEach((name, mode) -> mode.plan(network, demands, plans.get(name)));
      schedulers.forEach((name, scheduler) -> plan(scheduler, demands, plans.get(name)));
    }
    return toJson(workload, hosts, matrices, plans);
  }

  private void warmUp(Scheduler scheduler, List<DemandMatrix> demands) {
    long endNs = System.nanoTime() + (options.quick ? 0 : WARM_UP_NS);
    do {
      plan(scheduler, demands, new Plans(demands.size()));
    } while (System.nanoTime() < endNs);
  }

  private static void plan(Scheduler scheduler, List<DemandMatrix> demands, Plans plans) {
    Schedule week = new Schedule(scheduler.network().hosts());
    for (DemandMatrix demand : demands) {
      // The matrices are not weeks of one network.
      scheduler.forget();
      long startNs = System.nanoTime();
      scheduler.plan(demand, week);
      plans.add((double) (System.nanoTime() - startNs), demand, week);
    }
  }

  /** Our figures, those of the others, and the ratios of times to the authors'. */
  private static ObjectNode toJson(
      Workload workload, int hosts, int matrices, Map<String, Plans> plans) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("n", hosts)
            .put("workload", name(workload))
            .put("matrices", matrices);
    json.setAll(plans.get(OURS).toJson());
    plans.forEach(
        (name, of) -> {
          if (!name.equals(OURS)) {
            json.set(name, of.toJson());
          }
        });
    if (plans.containsKey(AUTHORS)) {
      double ours = plans.get(OURS).medianMs();
      json.put("timeRatio", ours / plans.get(AUTHORS).medianMs());
      json.put("fastestTimeRatio", ours / plans.get(AUTHORS_FASTEST).medianMs());
    }
    return json;
  }

  private void print(ObjectNode json) {
    if (options.json) {
      System.out.println(json);
      return;
    }
    System.out.println("seed " + options.seed);
    for (JsonNode c : json.get("cases")) {
      System.out.printf(
          Locale.ROOT, "%n%s, %d hosts%n", c.get("workload").asText(), c.get("n").asInt());
      line(OURS, c);
      for (String other : List.of("paper", "birkhoff", "tdma", AUTHORS, AUTHORS_FASTEST)) {
        if (c.has(other)) {
          line(other, c.get(other));
        }
      }
    }
    if (json.has("authors")) {
      System.out.printf(Locale.ROOT, "%nauthors: %s%n", json.at("/authors/skipped").asText());
    }
  }

  private static void line(String name, JsonNode plans) {
    System.out.printf(
        Locale.ROOT,
        "%14s %9.3f ms, %6.2f %% by circuit (at least %6.2f %%), %5.1f days%n",
        name,
        plans.get("medianMs").asDouble(),
        100 * plans.get("circuitServed").asDouble(),
        100 * plans.get("leastServed").asDouble(),
        plans.get("days").asDouble());
  }
}
