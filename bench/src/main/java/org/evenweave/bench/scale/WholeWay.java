package org.evenweave.bench.scale;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.evenweave.bench.common.Progress;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.forwarding.ForwardingManager;
import org.evenweave.engine.forwarding.TableCompiler;
import org.evenweave.engine.interference.RuleHeaders;
import org.evenweave.engine.paths.PathCalculator;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.runtime.StageTimes;
import org.evenweave.engine.runtime.StepLoop;
import org.evenweave.engine.status.EngineView;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.weights.WeightRule;

/**
 * The whole way of an event through a running engine, on one thread: from the first report to the
 * first message of a plan that is verified, and until every switch has confirmed.
 */
final class WholeWay {
  private static final double NANOS_PER_MS = 1e6;
  private static final int HOSTS_PER_FAILURE = 10;

  /** Above all of the engine's rules. */
  private static final int FOREIGN_PRIORITY = 65_000;

  /** Locally administered; those of hosts known at the start are lower. */
  private static final long NEW_MAC = 0x06_00_00_00_00_00L;

  /** The kinds of events, as the report names them. */
  static final String[] KINDS = {"linkEvent", "switchEvent", "linkEventAmongFailures", "hostEvent"};

  /** Somebody else adds a rule that drops packets; and links fail while there are such rules. */
  static final String FOREIGN_RULE = "foreignRule";

  static final String AMONG_FOREIGN_RULES = "linkEventAmongForeignRules";

  private final Fabric fabric;
  private final int hostsOfSubnet;
  private final SplittableRandom random;
  private final StepLoop loop = new StepLoop(ForwardingManager.SETTLING_NANOS);
  private final MemoryNetwork network;
  private final Engine engine;
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private long beganNanos;
  private long beganCpuNanos;
  private double planMs;
  private double planCpuMs;
  private final ObjectNode json = JsonNodeFactory.instance.objectNode();

  /**
   * @param hostsOfSubnet how many hosts each subnet has
   * @param rule the strategy
   * @param merged whether all switches hold merged rules
   */
  WholeWay(
      Fabric fabric, int hostsOfSubnet, SplittableRandom random, WeightRule rule, boolean merged) {
    this.fabric = fabric;
    this.hostsOfSubnet = hostsOfSubnet;
    this.random = random;
    network = new MemoryNetwork(fabric, this::firstChange);
    engine =
        new Engine(
            new EngineConfig(fabric, datapaths(fabric), rule)
                .withAggregating(merged ? fabric.switchIds() : List.of()),
            network,
            network,
            loop,
            new KnownHosts(fabric, hostsOfSubnet));
  }

  private static Map<Long, String> datapaths(Fabric fabric) {
    Map<Long, String> ids = new HashMap<>();
    for (int s = 0; s < fabric.switchCount(); s++) {
      ids.put(s + 1L, fabric.switchId(s));
    }
    return ids;
  }

  /**
   * Links alone.
   *
   * @param failures of one link, each followed by its repair
   */
  ObjectNode measureLinks(int failures) {
    connect();
    anyLinks(failures);
    linksAmongFailures(failures);
    json.put("identical", isAsCompiledInFull());
    return json;
  }

  /**
   * Links alone, on a fabric that is not whole.
   *
   * @param failures of one link, each followed by its repair
   */
  ObjectNode measureLinksAmongFailures(int failures) {
    connect();
    takeSomeLinksDown();
    links(KINDS[2], failures, () -> new int[] {random.nextInt(fabric.linkCount())});
    json.put("identical", isAsCompiledInFull());
    return json;
  }

  /**
   * @param failures of one link, and of one switch, each followed by its repair
   */
  ObjectNode measure(int failures) {
    connect();
    anyLinks(failures);
    links(KINDS[1], failures, () -> fabric.linksAt(random.nextInt(fabric.switchCount())));
    linksAmongFailures(failures);
    hosts(HOSTS_PER_FAILURE * failures);
    json.put("confirmed", engine.view().status().confirmed());
    json.put("identical", isAsCompiledInFull());
    return json;
  }

  /**
   * Rules of somebody else.
   *
   * @param rules one on each of so many switches, which drops what goes to a prefix
   * @param failures of one link while all those rules are there, each followed by its repair
   */
  ObjectNode measureForeignRules(int rules, int failures) {
    connect();
    foreignRules(rules);
    links(AMONG_FOREIGN_RULES, failures, () -> new int[] {random.nextInt(fabric.linkCount())});
    json.put("named", engine.view().foreign().harmful().size());
    json.put("identical", isAsCompiledInFull());
    return json;
  }

  private void connect() {
    Progress.say("%d switches: first plan", fabric.switchCount());
    double emptyMb = Heap.usedMb();
    engine.start();
    network.connectAll();
    start();
    loop.runAll();
    json.put("firstPlanMs", planMs).put("firstPlanCpuMs", planCpuMs);
    json.put("firstPlanOperations", network.operations());
    json.put("hosts", engine.view().snapshot().hosts().size());
    json.put("rules", rules());
    json.put("memoryMb", Heap.usedMb() - emptyMb);
  }

  private void anyLinks(int failures) {
    links(KINDS[0], failures, () -> new int[] {random.nextInt(fabric.linkCount())});
  }

  private void linksAmongFailures(int failures) {
    takeSomeLinksDown();
    json.put("rulesAmongFailures", rules());
    links(KINDS[2], failures, () -> new int[] {random.nextInt(fabric.linkCount())});
  }

  /** How many rules all switches hold together, of all kinds. */
  private long rules() {
    EngineView view = engine.view();
    return fabric.switchIds().stream().mapToLong(view::ruleCount).sum();
  }

  /** Whether compiling everything from scratch finds nothing to change in any switch. */
  private boolean isAsCompiledInFull() {
    EngineView view = engine.view();
    Routing routing = PathCalculator.routes(view.snapshot(), view.configuration().weightRule());
    Map<String, SwitchTables> compiled =
        TableCompiler.compile(
                routing,
                view.configuration().maxOversubscription(),
                view.configuration().leaveOut(),
                view.installed(),
                network,
                null)
            .tables();
    return compiled.equals(view.installed());
  }

  private void start() {
    planMs = 0;
    network.expectChanges();
    beganNanos = System.nanoTime();
    beganCpuNanos = threads.getCurrentThreadCpuTime();
  }

  /** The plan is verified, and its first message on its way. */
  private void firstChange() {
    planCpuMs = (threads.getCurrentThreadCpuTime() - beganCpuNanos) / NANOS_PER_MS;
    planMs = (System.nanoTime() - beganNanos) / NANOS_PER_MS;
  }

  private void takeSomeLinksDown() {
    int[] links =
        random
            .ints(0, fabric.linkCount())
            .distinct()
            .limit(Math.round(Failures.LINKS_DOWN * fabric.linkCount()))
            .toArray();
    network.linksGo(false, links);
    loop.runAll();
  }

  /** The links of an event; the same may come again. */
  private interface AnyLinks {
    int[] next();
  }

  /** Links fail, then they come back, then others fail. */
  private void links(String kind, int failures, AnyLinks any) {
    int[][] down = {null};
    events(
        kind,
        2 * failures,
        () -> {
          boolean up = down[0] != null;
          int[] links = up ? down[0] : any.next();
          network.linksGo(up, links);
          down[0] = up ? null : links;
        });
  }

  /** New hosts ask for their gateways, each under any switch. */
  private void hosts(int count) {
    int[] next = new int[fabric.subnetCount()];
    Arrays.fill(next, hostsOfSubnet);
    events(
        KINDS[3],
        count,
        () -> {
          int subnet = random.nextInt(next.length);
          int gateway = fabric.subnetPrefix(subnet).gateway();
          int address = gateway + 1 + next[subnet]++;
          String switchId = fabric.switchId(fabric.subnetSwitch(subnet));
          network.hostAsks(switchId, address, gateway, NEW_MAC + Integer.toUnsignedLong(address));
        });
  }

  /** From the report that a switch's rules have changed until the engine has named the rule. */
  private void foreignRules(int count) {
    Progress.say("%d switches: %d foreign rules", fabric.switchCount(), count);
    Samples toName = new Samples();
    int[] switches = random.ints(0, fabric.switchCount()).distinct().limit(count).toArray();
    for (int s : switches) {
      String id = fabric.switchId(s);
      Ipv4Prefix to = fabric.subnetPrefix(random.nextInt(fabric.subnetCount()));
      ForeignRule drop =
          new ForeignRule.Builder()
              .priority(FOREIGN_PRIORITY, FOREIGN_PRIORITY)
              .match(RuleHeaders.match(FlowRule.routeToPort(to, 1)), new byte[0])
              .build();
      start();
      network.foreignRules(id, engine.view().installed().get(id), List.of(drop));
      loop.runAll();
      toName.add((System.nanoTime() - beganNanos) / NANOS_PER_MS);
    }
    json.set(FOREIGN_RULE + "Ms", toName.toJson());
  }

  private void events(String kind, int count, Runnable next) {
    Progress.say("%d switches: %d times %s, whole way", fabric.switchCount(), count, kind);
    Samples toPlan = new Samples();
    Samples toPlanCpu = new Samples();
    Samples toEnd = new Samples();
    Samples toEndCpu = new Samples();
    Samples operations = new Samples();
    Map<StageTimes.Stage, Samples> parts = new EnumMap<>(StageTimes.Stage.class);
    Arrays.stream(StageTimes.Stage.values()).forEach(stage -> parts.put(stage, new Samples()));
    int warmUp = count / 10 * 2;
    for (int i = -warmUp; i < count; i++) {
      start();
      next.run();
      loop.runAll();
      if (i >= 0 && planMs > 0) {
        toPlan.add(planMs);
        toPlanCpu.add(planCpuMs);
        toEnd.add((System.nanoTime() - beganNanos) / NANOS_PER_MS);
        toEndCpu.add((threads.getCurrentThreadCpuTime() - beganCpuNanos) / NANOS_PER_MS);
        operations.add((double) network.operations());
        engine
            .view()
            .stageNanos()
            .forEach((stage, nanos) -> parts.get(stage).add(nanos / NANOS_PER_MS));
      }
    }
    json.set(kind + "Ms", toPlan.toJson());
    json.set(kind + "CpuMs", toPlanCpu.toJson());
    json.set(kind + "ConfirmedMs", toEnd.toJson());
    json.set(kind + "ConfirmedCpuMs", toEndCpu.toJson());
    json.set(kind + "Operations", operations.toJson());
    ObjectNode medians = json.putObject(kind.equals(KINDS[0]) ? "parts" : kind + "Parts");
    parts.forEach((stage, samples) -> medians.put(stage.text(), samples.median()));
  }
}
