package org.evenweave.engine.speed;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.forwarding.DesiredState;
import org.evenweave.engine.forwarding.PlanStages;
import org.evenweave.engine.forwarding.TableCompiler;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.paths.PathCalculator;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.topology.FatTree;
import org.evenweave.wcmp.weights.WeightRule;

/**
 * What an event costs the engine until its plan is ready, stage by stage, on a fat-tree; not a test
 * but a program, run by hand:
 *
 * <pre>mvn -q -pl app/engine -am test-compile, then with the test class path
 * java org.evenweave.engine.speed.ReactionTime [ports per switch] [events]</pre>
 *
 * <p>Prints the median of each stage for one link that fails and comes back, carried over from the
 * snapshot before ("carried") and done anew ("anew"), and their ratio.
 */
public final class ReactionTime {
  private static final String[] STAGES = {"snapshot", "routes", "tables", "plan", "check"};

  private final Fabric fabric;
  private final Nib nib;
  private Map<String, SwitchTables> installed = Map.of();
  private DesiredState desired;

  private ReactionTime(int k) {
    fabric = FatTree.of(k, 10_000_000_000L);
    nib = new Nib(new EngineConfig(fabric, Map.of(), WeightRule.EFFECTIVE_CAPACITY));
    for (String id : fabric.switchIds()) {
      nib.switchUp(id);
      nib.tablesKnown(id, Set.of());
    }
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      nib.portChanged(fabric.switchId(fabric.from(arc)), fabric.port(arc), true, 0);
    }
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      nib.linkSeen(fabric.end(arc), fabric.end(arc ^ 1));
    }
  }

  /** Nanoseconds of every stage; what is planned counts as carried out. */
  private long[] react(boolean anew) {
    long[] at = new long[STAGES.length + 1];
    at[0] = System.nanoTime();
    Snapshot snapshot = nib.snapshot();
    at[1] = System.nanoTime();
    Routing earlier = anew || desired == null ? null : desired.routing();
    Routing routing = PathCalculator.routes(snapshot, WeightRule.EFFECTIVE_CAPACITY, earlier);
    at[2] = System.nanoTime();
    DesiredState now =
        TableCompiler.compile(
            routing,
            Ratio.ONE,
            installed,
            id -> false,
            id -> SouthboundPort.anyGroupId(),
            List.of(),
            anew ? null : desired);
    at[3] = System.nanoTime();
    PlanStages plan = PlanStages.of(installed, now);
    at[4] = System.nanoTime();
    plan.requireSafe();
    at[5] = System.nanoTime();
    installed = new HashMap<>(plan.tablesAfter());
    desired = now;
    long[] nanos = new long[STAGES.length];
    Arrays.setAll(nanos, i -> at[i + 1] - at[i]);
    return nanos;
  }

  private void fail(int link, boolean up) {
    for (int arc = 2 * link; arc <= 2 * link + 1; arc++) {
      nib.portChanged(fabric.switchId(fabric.from(arc)), fabric.port(arc), up, 0);
    }
    for (int arc = 2 * link; up && arc <= 2 * link + 1; arc++) {
      nib.linkSeen(fabric.end(arc), fabric.end(arc ^ 1));
    }
  }

  private long[] medians(String what, int events, boolean anew, boolean up) {
    long[][] samples = new long[STAGES.length][events];
    for (int i = 0; i < events; i++) {
      int link = i; // Between an edge and an aggregation switch of the first pod
      if (up) {
        fail(link, false);
        react(false);
      }
      fail(link, up);
      long[] nanos = react(anew);
      for (int stage = 0; stage < STAGES.length; stage++) {
        samples[stage][i] = nanos[stage];
      }
      if (!up) {
        fail(link, true);
        react(false);
      }
    }
    long[] medians = new long[STAGES.length];
    StringBuilder line = new StringBuilder(what + (anew ? " anew:   " : " carried:"));
    for (int stage = 0; stage < STAGES.length; stage++) {
      Arrays.sort(samples[stage]);
      medians[stage] = samples[stage][events / 2];
      line.append(String.format(" %s %.2f ms", STAGES[stage], medians[stage] / 1e6));
    }
    System.out.println(line + String.format(", all %.2f ms", sum(medians) / 1e6));
    return medians;
  }

  private static long sum(long[] nanos) {
    return Arrays.stream(nanos).sum();
  }

  public static void main(String[] arguments) {
    int k = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 16;
    int events = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 9;
    ReactionTime run = new ReactionTime(k);
    System.out.println(run.fabric);
    long[] first = run.react(true);
    System.out.println("from nothing: " + sum(first) / 1_000_000 + " ms " + List.of(STAGES));
    Arrays.stream(first).forEach(nanos -> System.out.print(" " + nanos / 1_000_000));
    System.out.println();
    for (boolean up : new boolean[] {false, true}) {
      String what = up ? "link up" : "link down";
      run.medians(what + " (warming up)", events, false, up);
      long[] carried = run.medians(what, events, false, up);
      long[] anew = run.medians(what, events, true, up);
      System.out.printf("%s: anew / carried = %.1f%n", what, (double) sum(anew) / sum(carried));
    }
  }
}
