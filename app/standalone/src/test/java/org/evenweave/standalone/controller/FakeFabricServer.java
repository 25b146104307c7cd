package org.evenweave.standalone.controller;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.config.TrafficConfig;
import org.evenweave.engine.fake.FakeCounters;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.rest.RestResources;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.sdd.loop.FakeCircuitNetwork;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.rest.SddResources;
import org.evenweave.sdd.session.FakeEdge;
import org.evenweave.standalone.access.AccessControl;
import org.evenweave.standalone.access.AuditLog;
import org.evenweave.standalone.http.HttpApi;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.topology.FatTree;
import org.evenweave.wcmp.weights.WeightRule;
import org.evenweave.web.PageResource;

/**
 * The page and REST of an engine on switches in memory, for tests of the page without network
 * namespaces, with traffic of Figure 3.2's hosts, and an SDD controller with three hosts and an
 * edge. Prints the address; then each line of its input, {@code cut 3} or {@code heal 3}, is about
 * a link by its number. Ends with its input. With a file of tokens it asks for a log-in and writes
 * an audit log, in plain HTTP.
 */
public final class FakeFabricServer {
  private static final long STEP_MILLIS = 5;
  private static final long TEN_GBPS = 10_000_000_000L;
  private static final long SEED = 1;
  private static final TrafficConfig TRAFFIC = new TrafficConfig(true, 1, 5, 10);

  /** More than a week carries, so that there is demand in every period. */
  private static final long WAITING_BYTES = 60_000_000;

  private static final String EDGES = ", \"edge\": {\"hosts\": [\"h0\", \"h1\"]}";

  private final VirtualLoop loop = new VirtualLoop();
  private final FakeNetwork network;
  private final FakeCounters counters;

  private FakeFabricServer(Fabric fabric) {
    network = new FakeNetwork(fabric, loop, SEED);
    counters = new FakeCounters(fabric, network, loop);
  }

  /** The loop of a test, which one thread at a time may touch. */
  private final class SharedLoop implements EngineLoop {
    @Override
    public void execute(Runnable task) {
      synchronized (loop) {
        loop.execute(task);
      }
    }

    @Override
    public void schedule(Runnable task, long delayNanos) {
      synchronized (loop) {
        loop.schedule(task, delayNanos);
      }
    }

    @Override
    public void background(Runnable task) {
      synchronized (loop) {
        loop.background(task);
      }
    }

    @Override
    public long nanoTime() {
      synchronized (loop) {
        return loop.nanoTime();
      }
    }
  }

  /**
   * @param arguments the fabric: {@code figure32}, after which a file of tokens and one for the
   *     audit log may follow, or {@code fat-tree} and the number of ports of its switches
   */
  public static void main(String[] arguments) throws Exception {
    boolean isTree = arguments[0].equals("fat-tree");
    Fabric fabric =
        isTree ? FatTree.of(Integer.parseInt(arguments[1]), TEN_GBPS) : Fabrics.figure32();
    AccessControl gate =
        isTree || arguments.length == 1
            ? AccessControl.OPEN
            : AccessControl.of(true, Path.of(arguments[1]), new AuditLog(Path.of(arguments[2])));
    try (gate) {
      new FakeFabricServer(fabric).run(fabric, gate);
    }
  }

  private void run(Fabric fabric, AccessControl gate) throws Exception {
    EngineConfig config =
        new EngineConfig(fabric, datapaths(fabric), WeightRule.EFFECTIVE_CAPACITY)
            .withTraffic(TRAFFIC);
    Engine engine = new Engine(config, network, counters, new SharedLoop());
    synchronized (loop) {
      engine.start();
      network.connectAll();
      counters.send("s1-0", Ipv4Prefix.parse("10.0.2.0/24"), 250_000_000);
      counters.send("s1-1", Ipv4Prefix.parse("10.0.0.0/24"), 1_000_000);
    }
    Thread time = new Thread(this::goOn, "time");
    time.setDaemon(true);
    time.start();
    Path folder = Files.createTempDirectory("evenweave-page");
    try (SddController sdd = new SddController(FakeCircuitNetwork.config(folder, EDGES));
        FakeCircuitNetwork hosts = new FakeCircuitNetwork(sdd, folder)) {
      hosts.queue(0, 1, WAITING_BYTES);
      hosts.queue(1, 2, WAITING_BYTES / 100);
      FakeEdge.connect(sdd.address(), folder.resolve("keys"), "h0", report());
      Set<Object> resources = new HashSet<>(RestResources.of(engine));
      resources.addAll(SddResources.of(sdd));
      resources.add(new PageResource());
      serve(resources, gate);
    }
    synchronized (loop) {
      engine.close();
    }
  }

  /** Without these a new configuration could rename switches that this network cannot rename. */
  private static Map<Long, String> datapaths(Fabric fabric) {
    Map<Long, String> names = new TreeMap<>();
    for (int s = 0; s < fabric.switchCount(); s++) {
      names.put(1L + s, fabric.switchId(s));
    }
    return names;
  }

  private static String report() throws IOException {
    try (InputStream text = FakeFabricServer.class.getResourceAsStream("edge-report.json")) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void serve(Set<Object> resources, AccessControl gate) throws IOException {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (HttpApi api = new HttpApi(anyPort, resources, List.of(), null, gate)) {
      System.out.println(api.address());
      BufferedReader input =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        String[] words = line.split(" ", 0);
        synchronized (loop) {
          if (words[0].equals("cut")) {
            network.cut(Integer.parseInt(words[1]));
          } else {
            network.heal(Integer.parseInt(words[1]));
          }
        }
        System.out.println("done");
      }
    }
  }

  /** Virtual time follows the clock, late if the machine is slow. */
  private void goOn() {
    long before = System.nanoTime();
    while (true) {
      try {
        Thread.sleep(STEP_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
      long now = System.nanoTime();
      synchronized (loop) {
        loop.runFor(now - before);
      }
      before = now;
    }
  }
}
