package org.evenweave.engine.reweighting;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.config.TrafficConfig;
import org.evenweave.engine.demand.SwitchDemand;
import org.evenweave.engine.demand.TrafficMeter;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.forwarding.ForwardingManager;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.paths.PathCalculator;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.runtime.Changes;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.traffic.RoutingLoad;
import org.evenweave.wcmp.traffic.TrafficMatrix;
import org.evenweave.wcmp.traffic.TrafficRule;
import org.evenweave.wcmp.weights.WeightRule;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The strategy {@code traffic}: weights for the traffic matrix as measured, from those by effective
 * capacity on.
 *
 * <p><b>Hysteresis.</b> When the matrix or the fabric has changed, routes are computed for it
 * beside the loop. They become the target only if their maximum link utilisation is lower, by the
 * configured gain, than what the present target would have with the same matrix: a demand that
 * stays, or of which only the noise changes, changes nothing.
 *
 * <p><b>Churn.</b> From what is in force to the target weights move in a straight line, after each
 * measurement as far as the {@link ChurnBudget} allows.
 *
 * <p>A failure is not waited for: groups that it changes get their weights by effective capacity at
 * once, and the others stay. Belongs to the engine's loop, except for methods that are documented
 * as safe for many threads.
 */
public final class TrafficReweighting {
  /** What is wrong with the strategy where there is no rule for it. */
  public static final String NO_SOLVER =
      "\"traffic\" needs a solver of linear programs: on ONOS activate the application"
          + " org.evenweave.traffic, or take \"wcmp\" or \"maxflow\"";

  private static final Logger LOG = LoggerFactory.getLogger(TrafficReweighting.class);

  private static final double PER_CENT = 0.01;

  /** A matrix is another one if that part of all traffic goes between other pairs. */
  private static final double NEW_MATRIX = 0.02;

  private final EngineLoop loop;
  private final Nib nib;
  private final TrafficMeter meter;
  private final EventLog events;
  private final Changes changes;
  private final ChurnBudget budget = new ChurnBudget();
  private Consumer<String> problemListener = problem -> {};

  /** Why the rule cannot be used; empty if it can. */
  private String problem = "";

  private volatile TrafficRule rule;
  private volatile Executor worker;

  private TrafficConfig config;
  private boolean active;
  private boolean computing;
  private Splits inForce = Splits.NONE;
  private Splits target = Splits.NONE;

  /** What routes were computed for last, whatever came of it. */
  private Fabric computedFabric;

  private TrafficMatrix computedMatrix;

  private int groups;
  private volatile PlannedTraffic planned;

  /** One computation's outcome. */
  private static final class Candidate {
    Splits splits;

    /** Of the fullest link, with the hedged matrix. */
    double utilisation;

    /** The same with the present target. */
    double utilisationOfTarget;

    PlannedTraffic planned;

    /** Groups with more than one member, a group for each switch and destination. */
    int groups;
  }

  /**
   * One that measures by itself.
   *
   * @param forwarding knows what switches hold, and the southbound what their rules have counted
   * @param changes gets that other weights are in force
   */
  public static TrafficReweighting of(
      EngineLoop loop,
      Nib nib,
      ForwardingManager forwarding,
      SouthboundPort southbound,
      EventLog events,
      Changes changes) {
    TrafficMeter meter =
        new TrafficMeter(loop, nib, forwarding::installed, southbound::countRoutes);
    return new TrafficReweighting(loop, nib, meter, events, changes);
  }

  /**
   * @param meter measures the matrix, for this alone
   * @param changes gets that other weights are in force
   */
  private TrafficReweighting(
      EngineLoop loop, Nib nib, TrafficMeter meter, EventLog events, Changes changes) {
    this.loop = loop;
    this.nib = nib;
    this.meter = meter;
    this.events = events;
    this.changes = changes;
    meter.onMeasured(this::measured);
  }

  /**
   * Gives it the rule, or takes it away. Safe for many threads.
   *
   * @param newRule null to have weights by effective capacity, whatever the strategy
   * @param newWorker runs the rule, one task at a time
   */
  public void useRule(TrafficRule newRule, Executor newWorker) {
    worker = newWorker;
    rule = newRule;
    loop.execute(changes::changed);
  }

  /** The present rule, or null. Safe for many threads. */
  public TrafficRule rule() {
    return rule;
  }

  /** Whether there is a rule that can be used here. Safe for many threads. */
  public boolean isPossible() {
    TrafficRule present = rule;
    return present != null && present.problem().isEmpty();
  }

  /**
   * Has somebody told while the strategy is in force and its rule cannot be used. To be called
   * before the start.
   *
   * @param listener runs on the loop, with a sentence, or an empty one when it is over
   */
  public void onProblem(Consumer<String> listener) {
    problemListener = listener;
  }

  /**
   * A configuration, if its strategy can be used here. Safe for many threads.
   *
   * @param before the present one, whose strategy stays possible
   * @throws FabricException if it needs a rule and there is none, or counters that are not there
   */
  public EngineConfig requirePossible(EngineConfig before, EngineConfig newConfig) {
    boolean begins =
        newConfig.weightRule() == WeightRule.TRAFFIC && before.weightRule() != WeightRule.TRAFFIC;
    TrafficRule present = rule;
    if (begins && present == null) {
      throw new FabricException("strategy", NO_SOLVER);
    }
    if (begins) {
      present
          .problem()
          .ifPresent(
              problem -> {
                throw new FabricException("strategy", "\"traffic\" cannot be used: " + problem);
              });
    }
    return newConfig.requireCountable();
  }

  /** The measured matrix. */
  public TrafficMeter meter() {
    return meter;
  }

  /** What the weights are for; null while they are by effective capacity. Safe for many threads. */
  public PlannedTraffic planned() {
    return planned;
  }

  /** Begins or ends as configured. */
  public void follow(EngineConfig newConfig) {
    meter.follow(newConfig);
    boolean nowActive = newConfig.weightRule() == WeightRule.TRAFFIC && rule != null;
    config = newConfig.traffic();
    if (active && !nowActive) {
      reset();
      setProblem("");
    }
    boolean begins = nowActive && !active;
    active = nowActive;
    if (begins) {
      check(rule);
    }
  }

  /** Asks the rule beside the loop, which must not wait for it. */
  private void check(TrafficRule present) {
    CompletableFuture.supplyAsync(present::problem, worker)
        .thenAccept(found -> loop.execute(() -> setProblem(active ? found.orElse("") : "")));
  }

  private void setProblem(String found) {
    if (!found.equals(problem)) {
      problem = found;
      String sentence =
          found.isEmpty()
              ? ""
              : "strategy \"traffic\" has no solver, so weights are those of \"wcmp\": " + found;
      if (!found.isEmpty()) {
        LOG.warn(sentence);
      }
      problemListener.accept(sentence);
    }
  }

  private void reset() {
    inForce = Splits.NONE;
    target = Splits.NONE;
    computedFabric = null;
    computedMatrix = null;
    planned = null;
  }

  /** Reverts to the weights by effective capacity, since those in force do not fit the tables. */
  public void revertToWcmp(String why) {
    String subject = "wcmp's weights until the traffic changes, since others do not fit: " + why;
    LOG.warn(subject);
    events.note(Event.Kind.TRAFFIC, subject, loop.nanoTime());
    inForce = Splits.NONE;
    target = Splits.NONE;
    planned = null;
  }

  /** The routes with the weights in force, instead of those by effective capacity. */
  public Routing in(Routing plain) {
    return active ? inForce.in(plain) : plain;
  }

  /** The same as a function that any thread may call, with the weights that are in force now. */
  public UnaryOperator<Routing> inForce() {
    return active ? inForce::in : UnaryOperator.identity();
  }

  public void close() {
    active = false;
    meter.close();
  }

  /** Another measurement is there. */
  private void measured(List<SwitchDemand> demands) {
    TrafficRule present = rule;
    if (!active || present == null) {
      return;
    }
    if (!problem.isEmpty()) {
      check(present);
      return;
    }
    Snapshot snapshot = nib.snapshot();
    TrafficMatrix matrix = matrix(snapshot.fabric(), demands);
    boolean isNew = snapshot.fabric() != computedFabric || !isNear(matrix, computedMatrix);
    if (!computing && matrix.totalBps() > 0 && isNew) {
      compute(present, snapshot, matrix);
    }
    move();
  }

  /**
   * What goes between switches, in whole bits per second as the offline tools take them; prefixes
   * that no switch has count for nothing.
   */
  public static TrafficMatrix matrix(Fabric fabric, List<SwitchDemand> demands) {
    Map<Ipv4Prefix, Integer> owners = new HashMap<>();
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      owners.put(fabric.subnetPrefix(subnet), fabric.subnetSwitch(subnet));
    }
    int[] endpoints = owners.values().stream().mapToInt(s -> s).sorted().distinct().toArray();
    Map<Integer, Integer> index = new HashMap<>();
    for (int i = 0; i < endpoints.length; i++) {
      index.put(endpoints[i], i);
    }
    double[][] bps = new double[endpoints.length][endpoints.length];
    for (SwitchDemand demand : demands) {
      Integer from = index.get(fabric.indexOf(demand.switchId()));
      demand
          .bps()
          .forEach(
              (prefix, rate) -> {
                Integer to = index.get(owners.get(prefix));
                if (from != null && to != null && !from.equals(to)) {
                  bps[from][to] += Math.rint(rate);
                }
              });
    }
    return TrafficMatrix.of(endpoints, bps);
  }

  /** Whether two matrices of the same endpoints are alike but for a common factor. */
  private static boolean isNear(TrafficMatrix a, TrafficMatrix b) {
    double difference = 0;
    for (int i = 0; i < a.endpointCount(); i++) {
      for (int j = 0; j < a.endpointCount(); j++) {
        difference += Math.abs(a.demandBps(i, j) / a.totalBps() - b.demandBps(i, j) / b.totalBps());
      }
    }
    return difference / 2 < NEW_MATRIX;
  }

  private void compute(TrafficRule by, Snapshot snapshot, TrafficMatrix matrix) {
    computing = true;
    computedFabric = snapshot.fabric();
    computedMatrix = matrix;
    Splits present = target;
    CompletableFuture.supplyAsync(() -> candidate(by, snapshot, matrix, present), worker)
        .whenComplete(
            (candidate, problem) -> loop.execute(() -> computed(matrix, candidate, problem)));
  }

  private static Candidate candidate(
      TrafficRule by, Snapshot snapshot, TrafficMatrix matrix, Splits present) {
    Fabric fabric = snapshot.fabric();
    Routing plain = PathCalculator.routes(snapshot, WeightRule.TRAFFIC);
    TrafficMatrix hedged = by.hedged(fabric, matrix);
    Candidate candidate = new Candidate();
    candidate.groups = groupsWithAChoice(plain);
    candidate.splits = Splits.between(plain, by.routes(fabric, matrix));
    candidate.utilisation = utilisation(fabric, candidate.splits.in(plain), hedged);
    candidate.utilisationOfTarget = utilisation(fabric, present.in(plain), hedged);
    candidate.planned =
        new PlannedTraffic(
            fabric,
            matrix,
            utilisation(fabric, candidate.splits.in(plain), matrix),
            utilisation(fabric, plain, matrix));
    return candidate;
  }

  private static int groupsWithAChoice(Routing plain) {
    int count = 0;
    for (int destination : plain.destinations()) {
      for (int s = 0; s < plain.snapshot().fabric().switchCount(); s++) {
        count += plain.to(destination).memberCount(s) > 1 ? 1 : 0;
      }
    }
    return count;
  }

  private static double utilisation(Fabric fabric, Routing routing, TrafficMatrix matrix) {
    return RoutingLoad.of(fabric, routing::to, matrix).maxUtilisation();
  }

  private void computed(TrafficMatrix matrix, Candidate candidate, Throwable problem) {
    computing = false;
    if (!active || computedMatrix != matrix) {
      return;
    }
    if (problem != null) {
      LOG.warn(
          "cannot compute weights for the traffic matrix; the present weights stay in force",
          problem);
      return;
    }
    double enough = 1 - PER_CENT * config.minGainPercent();
    if (candidate.utilisation < enough * candidate.utilisationOfTarget) {
      String subject =
          String.format(
              Locale.ROOT,
              "weights for other traffic: the fullest link is used %.2f times as much as before",
              candidate.utilisation / candidate.utilisationOfTarget);
      LOG.info(subject);
      events.add(Event.Kind.TRAFFIC, subject, loop.nanoTime());
      target = candidate.splits;
      groups = candidate.groups;
      planned = candidate.planned;
      move();
    }
  }

  private void move() {
    if (inForce == target) {
      return;
    }
    double wanted = inForce.distanceTo(target) / Math.max(1, groups);
    double taken =
        budget.take(wanted, PER_CENT * config.maxChurnPercentPerMinute(), loop.nanoTime());
    if (taken > 0 || wanted == 0) {
      inForce = inForce.towards(target, wanted == 0 ? 1 : taken / wanted);
      planned = planned.withChurnLeft(wanted - taken);
      changes.changed();
    }
  }
}
