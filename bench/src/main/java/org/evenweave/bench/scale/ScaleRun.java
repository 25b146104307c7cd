package org.evenweave.bench.scale;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.evenweave.bench.common.Progress;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.reconcile.Rehearsal;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.topology.FatTree;
import org.evenweave.wcmp.weights.AutomaticChoice;
import org.evenweave.wcmp.weights.PairTable;
import org.evenweave.wcmp.weights.RoutesTable;
import org.evenweave.wcmp.weights.WeightRule;

/** Measures one fat-tree: full computation, then events on the routes that it made. */
final class ScaleRun {
  private static final long CAPACITY_BPS = 10_000_000_000L;

  /** On as many switches. */
  private static final int FOREIGN_RULES = 10;

  private final int k;
  private final SplittableRandom random;
  private final ObjectNode json = JsonNodeFactory.instance.objectNode();
  private final Stopwatch full = new Stopwatch();
  private LiveRoutes routes;

  ScaleRun(int k, long seed) {
    this.k = k;
    random = new SplittableRandom(seed);
  }

  /**
   * Runs the measurements.
   *
   * @param computations full ones; the first of them only warms up
   * @param failures of one link, and of one switch, each followed by its repair
   * @param randomEvents failures and repairs on a fabric that is never whole
   */
  ObjectNode measure(int computations, int failures, int randomEvents) {
    Progress.say("fat-tree of %d-port switches: full computation", k);
    double emptyMb = Heap.usedMb();
    Fabric fabric = FatTree.of(k, CAPACITY_BPS);
    double fabricMb = Heap.usedMb() - emptyMb;
    json.put("servers", FatTree.servers(k))
        .put("k", k)
        .put("switches", fabric.switchCount())
        .put("links", fabric.linkCount())
        .put("destinations", fabric.subnetCount());
    RoutesTable table = RoutesTable.compute(fabric, WeightRule.EFFECTIVE_CAPACITY);
    for (int i = 1; i < computations; i++) {
      full.time(() -> RoutesTable.compute(fabric, WeightRule.EFFECTIVE_CAPACITY));
    }
    json.put("fullMs", full.wallMs.median()).put("fullCpuMs", full.cpuMs.median());
    json.put("memoryMb", Heap.usedMb() - emptyMb)
        .put("fabricMb", fabricMb)
        .put("heapMb", Runtime.getRuntime().maxMemory() / Heap.BYTES_PER_MB);
    routes = new LiveRoutes(table);
    events("linkEvent", 2 * failures, failAndRepair(this::anyLink));
    events("switchEvent", 2 * failures, failAndRepair(this::anySwitch));
    Failures life = new Failures(routes, random);
    events("randomEvent", randomEvents, life::next);
    json.put("identical", routes.isAsComputedAnew());
    ObjectNode routesOnly = json.deepCopy();
    routes = null;
    int hostsOfSubnet = (int) (FatTree.servers(k) / fabric.subnetCount());
    WeightRule wcmp = WeightRule.EFFECTIVE_CAPACITY;
    Rehearsal.runFirst(new EngineConfig(fabric, Map.of(), wcmp)); // as every controller does
    ObjectNode whole = new WholeWay(fabric, hostsOfSubnet, random, wcmp, false).measure(failures);
    json.put("identical", isIdentical(json) && isIdentical(whole));
    json.set("routesOnly", routesOnly);
    json.set("whole", whole);
    ObjectNode merged =
        new WholeWay(fabric, hostsOfSubnet, random, wcmp, true).measureLinks(failures);
    json.put("identical", isIdentical(json) && isIdentical(merged));
    json.set("aggregated", merged);
    if (fabric.subnetCount() <= PairTable.MOST_SWITCHES) {
      ObjectNode pairs =
          new WholeWay(fabric, hostsOfSubnet, random, WeightRule.PAIR, false)
              .measureLinksAmongFailures(failures);
      json.put("identical", isIdentical(json) && isIdentical(pairs));
      json.set("pairs", pairs);
    }
    ObjectNode foreign =
        new WholeWay(fabric, hostsOfSubnet, random, wcmp, false)
            .measureForeignRules(FOREIGN_RULES, failures);
    json.put("identical", isIdentical(json) && isIdentical(foreign));
    json.set("foreignRules", foreign);
    json.set("auto", automatic(fabric, hostsOfSubnet, failures));
    json.put("identical", isIdentical(json) && isIdentical(json.with("auto")));
    return json;
  }

  /** What strategy auto chooses, and what that takes where it is not wcmp, as above. */
  private ObjectNode automatic(Fabric fabric, int hostsOfSubnet, int failures) {
    AutomaticChoice choice = AutomaticChoice.of(fabric);
    ObjectNode auto =
        choice.rule() == WeightRule.EFFECTIVE_CAPACITY
            ? JsonNodeFactory.instance.objectNode().put("identical", true)
            : new WholeWay(fabric, hostsOfSubnet, random, WeightRule.AUTOMATIC, false)
                .measureLinksAmongFailures(failures);
    return auto.put("strategy", choice.rule().strategyName()).put("why", choice.reason());
  }

  private static boolean isIdentical(ObjectNode measured) {
    return measured.get("identical").asBoolean();
  }

  /** Measures events of one kind; those that warm up are not counted. */
  private void events(String kind, int count, Consumer<Stopwatch> next) {
    Progress.say("fat-tree of %d-port switches: %d times %s", k, count, kind);
    Stopwatch warmUp = new Stopwatch();
    for (int i = 0; i < count / 10 * 2; i++) {
      next.accept(warmUp);
    }
    Stopwatch clock = new Stopwatch();
    Samples touched = new Samples();
    for (int i = 0; i < count; i++) {
      next.accept(clock);
      touched.add((double) routes.touched());
    }
    json.set(kind + "Ms", clock.wallMs.toJson());
    json.set(kind + "CpuMs", clock.cpuMs.toJson());
    json.with("groupsTouched").set(kind, touched.toJson().put("mean", touched.mean()));
    json.with("fullToEvent").put(kind, full.wallMs.median() / clock.wallMs.median());
    json.with("fullToEventCpu").put(kind, full.cpuMs.median() / clock.cpuMs.median());
  }

  /** Some links fail, then they are repaired, then others fail. */
  private Consumer<Stopwatch> failAndRepair(Supplier<int[]> any) {
    int[][] failed = {null};
    return clock -> {
      boolean repair = failed[0] != null;
      int[] links = repair ? failed[0] : any.get();
      clock.time(() -> routes.linksGo(repair, links));
      failed[0] = repair ? null : links;
    };
  }

  private int[] anyLink() {
    return new int[] {random.nextInt(routes.fabric().linkCount())};
  }

  private int[] anySwitch() {
    return routes.fabric().linksAt(random.nextInt(routes.fabric().switchCount()));
  }
}
