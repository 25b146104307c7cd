package org.evenweave.engine.status;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.forwarding.DesiredState;
import org.evenweave.engine.forwarding.ForwardingManager;
import org.evenweave.engine.interference.ForeignReport;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.port.EngineMemory;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.engine.runtime.LoopWatch;
import org.evenweave.engine.runtime.StageTimes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the {@link EngineView}, and logs the status of the fabric. The view and the requested
 * configuration are safe for many threads; all else belongs to the loop.
 */
public final class ViewPublisher {
  private static final Logger LOG = LoggerFactory.getLogger(ViewPublisher.class);

  private static final String RECONFIGURING = "a new configuration is being applied";

  private final EngineLoop loop;
  private final Nib nib;
  private final ForwardingManager forwarding;
  private final EventLog events;
  private final EngineMemory memory;
  private final StageTimes times;
  private final Health health;
  private final StatusLog statusLog;
  private final LoopWatch watch = new LoopWatch();

  private EngineConfig requested;
  private DesiredState desired;
  private String problem = "";
  private String pairsLeftOut = "";
  private List<String> beyondLimits = List.of();
  private final PortsLeftOut portsLeftOut;
  private ForeignReport foreign = ForeignReport.NOTHING;
  private boolean refreshQueued;
  private BooleanSupplier hasUnplannedChange = () -> false;
  private Runnable shown = () -> {};
  private volatile EngineView view;
  private volatile RuntimeReport runtime = RuntimeReport.NOTHING;

  public ViewPublisher(
      EngineLoop loop,
      Nib nib,
      ForwardingManager forwarding,
      EventLog events,
      EngineMemory memory,
      StageTimes times) {
    this.loop = loop;
    this.times = times;
    this.nib = nib;
    this.forwarding = forwarding;
    this.events = events;
    this.memory = memory;
    portsLeftOut = new PortsLeftOut(events, loop);
    health = new Health(nib, () -> hasUnplannedChange.getAsBoolean());
    statusLog = new StatusLog(loop);
    watch.add("engine loop", loop);
    requested = nib.config();
    view =
        new EngineView(
            memory.lastNumber(),
            requested,
            nib.snapshot(),
            null,
            Map.of(),
            Map.of(),
            health.status(requested),
            "",
            times.latest().stages(),
            foreign);
  }

  /** Takes no lock: it answers while the loop is stalled, and says so. */
  public EngineView view() {
    List<String> stalled = watch.stalled();
    return stalled.isEmpty() ? view : view.stalled(stalled);
  }

  /** Watches the loop. */
  public LoopWatch watch() {
    return watch;
  }

  /** The configuration in force or on its way. */
  public synchronized EngineConfig requested() {
    return requested;
  }

  /**
   * Marks the view as not converged, so that a caller never reads a convergence from before its
   * request.
   */
  public synchronized void request(EngineConfig config) {
    requested = config;
    view = view.during(RECONFIGURING, config);
  }

  /** A plan for this is in progress. */
  public void planning(DesiredState newDesired) {
    desired = newDesired;
    problem = "";
    reportPairs(String.join("; ", newDesired.pairsLeftOut()));
    portsLeftOut.report(newDesired.portsLeftOut());
    List<String> beyond = new ArrayList<>(newDesired.beyondLimits());
    beyond.addAll(newDesired.beyondRules().values());
    reportBeyondLimits(beyond);
    health.planning(!newDesired.routing().isComplete());
    show();
  }

  /** What the limits of switches do not allow: forwarding goes on, as well as they allow. */
  private void reportBeyondLimits(List<String> sentences) {
    if (!sentences.equals(beyondLimits)) {
      sentences.stream()
          .filter(sentence -> !beyondLimits.contains(sentence))
          .forEach(
              sentence -> {
                LOG.warn("{}", sentence);
                events.add(Event.Kind.CANNOT_FIT, sentence, loop.nanoTime());
              });
      beyondLimits = sentences;
      health.outside("limits", sentences);
    }
  }

  /**
   * @param leftOut why pairs have no groups of their own; empty if they have
   */
  private void reportPairs(String leftOut) {
    if (!leftOut.isEmpty() && !leftOut.equals(pairsLeftOut)) {
      LOG.warn("{}", leftOut);
      events.add(Event.Kind.PAIRS_LEFT_OUT, leftOut, loop.nanoTime());
    }
    pairsLeftOut = leftOut;
  }

  /**
   * What is installed is kept: nothing is known yet of some switches and ports, or flows are
   * outstanding.
   */
  public void adopting(Snapshot snapshot, boolean lacksFlows) {
    problem = "";
    health.adopting(snapshot, lacksFlows);
    show();
  }

  /** The plan was carried out. */
  public void confirmed(boolean isLatest) {
    health.confirmed(isLatest);
    show();
  }

  /** The plan cannot be made or was not carried out, for these reasons. */
  public void failed(Event.Kind kind, List<String> problems) {
    String text = String.join("; ", problems);
    if (!text.equals(view.problem())) {
      LOG.warn("{}: {}", kind.text(), text);
      events.add(kind, text, loop.nanoTime());
    }
    problem = text;
    health.failed(problems);
    show();
  }

  public void drifted(String switchId) {
    health.drifted(switchId);
    show();
  }

  public void suspectDrift(String switchId, String why) {
    health.suspectDrift(switchId, why);
    refresh();
  }

  public void clearSuspicion(String switchId) {
    health.clearSuspicion(switchId);
    refresh();
  }

  public void runtimeProblems(List<String> problems) {
    health.runtimeProblems(problems);
    refresh();
  }

  public RuntimeReport runtime() {
    return runtime;
  }

  /** The runtime reports something else; a new view, so that nobody keeps the report before. */
  public void runtime(RuntimeReport report) {
    if (!report.equals(runtime)) {
      runtime = report;
      show();
    }
  }

  public void contested(List<String> reasons) {
    health.contested(reasons);
    refresh();
  }

  /** What others' rules do to the fabric's traffic has changed. */
  public void foreign(ForeignReport report) {
    foreign = report;
    health.foreign(report.reasons());
    show();
  }

  /**
   * What is wrong with links and ports that are there. Shown only when what it changes is in
   * progress, so that nothing is confirmed with it that was confirmed before.
   */
  public void links(List<String> reasons) {
    health.links(reasons);
    refreshLater();
  }

  /**
   * @param source whose reasons they are; replaces those that it gave before
   */
  public void outside(String source, List<String> reasons) {
    health.outside(source, reasons);
    refresh();
  }

  /**
   * @param reason why a switch cannot be programmed although it is there; empty if it can
   */
  public void barred(String switchId, String reason) {
    health.barred(switchId, reason);
    refresh();
  }

  /** Refreshes the view in a later step of the loop, so that many changes make one view. */
  public void refreshLater() {
    if (!refreshQueued) {
      refreshQueued = true;
      loop.execute(
          () -> {
            refreshQueued = false;
            refresh();
          });
    }
  }

  private void refresh() {
    if (!status().equals(view.status())) {
      show();
    }
  }

  private FabricStatus status() {
    FabricStatus status = health.status(nib.config());
    return requested() == nib.config() ? status : status.during(RECONFIGURING);
  }

  /** While there is a change for which no plan has begun yet, nothing is confirmed. */
  public void unplannedChange(BooleanSupplier newHasUnplannedChange) {
    hasUnplannedChange = newHasUnplannedChange;
  }

  /** Runs this, and nothing else, whenever there is another view. */
  public void onShow(Runnable task) {
    shown = task;
  }

  private synchronized void show() {
    FabricStatus status = status();
    view =
        new EngineView(
            view.revision() + 1,
            requested,
            nib.snapshot(),
            desired,
            forwarding.installed(),
            forwarding.mergedRuleCounts(),
            status,
            problem,
            times.latest().stages(),
            foreign);
    memory.reached(
        Math.max(view.revision(), Math.max(nib.snapshot().version(), events.lastChange())));
    statusLog.follow(status);
    shown.run();
  }
}
