package org.evenweave.engine.interference;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.evenweave.engine.config.ForeignRulePolicy;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.foreign.ForeignTables;
import org.evenweave.engine.forwarding.ForwardingManager;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.runtime.EngineLoop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks rules and groups on switches that are not Evenweave's and their effect on traffic. It
 * reports the rules that harm traffic, and deletes them if so configured. Belongs to the loop.
 */
public final class ForeignWatch {
  private static final Logger LOG = LoggerFactory.getLogger(ForeignWatch.class);

  /** Changes of the engine's own that come within so long are judged together. */
  private static final long PAUSE_NANOS = 100_000_000L;

  private final EngineLoop loop;
  private final Nib nib;
  private final ForwardingManager forwarding;
  private final SouthboundPort southbound;
  private final EventLog events;
  private final Consumer<ForeignReport> show;
  private final Consumer<String> readAgain;

  private final Map<String, ForeignTables> found = new HashMap<>();

  /** By a rule that harms traffic, what was said of it. */
  private Map<List<Object>, String> named = new LinkedHashMap<>();

  /** Switches of which rules are being deleted. */
  private final Set<String> removing = new HashSet<>();

  /**
   * Switches whose rules were deleted and that have not been read since, and when: nothing is
   * deleted twice.
   */
  private final Map<String, Long> removedNanos = new HashMap<>();

  private ForeignReport latest = ForeignReport.NOTHING;
  private boolean isDue;
  private boolean saidNotRemoved;

  /**
   * @param show gets what others' rules do, when it changes
   * @param readAgain compares a switch whose foreign rules were deleted
   */
  public ForeignWatch(
      EngineLoop loop,
      Nib nib,
      ForwardingManager forwarding,
      SouthboundPort southbound,
      EventLog events,
      Consumer<ForeignReport> show,
      Consumer<String> readAgain) {
    this.loop = loop;
    this.nib = nib;
    this.forwarding = forwarding;
    this.southbound = southbound;
    this.events = events;
    this.show = show;
    this.readAgain = readAgain;
  }

  /**
   * A switch was read.
   *
   * @param askedNanos when the reading began; one from before a removal counts for nothing
   */
  public void found(String switchId, ForeignTables tables, long askedNanos) {
    if (askedNanos < removedNanos.getOrDefault(switchId, Long.MIN_VALUE)) {
      return;
    }
    removedNanos.remove(switchId);
    ForeignTables before = tables.isEmpty() ? found.remove(switchId) : found.put(switchId, tables);
    if (!tables.equals(before == null ? ForeignTables.NONE : before)) {
      evaluateAfter(0);
    }
  }

  /** Whose rule has the match and priority of one of the engine's; empty if there is none. */
  public String holderOf(String switchId, FlowRule rule) {
    return found.getOrDefault(switchId, ForeignTables.NONE).rules().stream()
        .filter(
            other ->
                other.table() == 0
                    && other.rank() == rule.priority()
                    && other.match().equals(RuleHeaders.match(rule)))
        .map(other -> ForeignReport.owner(other.cookie(), southbound::ownerOf))
        .findFirst()
        .orElse("");
  }

  /** The network, the engine's tables or the configuration may have changed. */
  public void reconsider() {
    if (latest.dependsOnOurs() && !isDue) {
      isDue = true;
      evaluateAfter(PAUSE_NANOS);
    }
  }

  /** What was read counts before anything that follows from the reading. */
  private void evaluateAfter(long delayNanos) {
    Runnable evaluation =
        () -> {
          isDue = false;
          evaluate();
        };
    if (delayNanos > 0) {
      loop.schedule(evaluation, delayNanos);
    } else {
      loop.execute(evaluation);
    }
  }

  /** What packets meet if these are the engine's tables, by switch id. */
  public ForeignReport report(Map<String, SwitchTables> own) {
    Snapshot snapshot = nib.snapshot();
    Map<String, ForeignTables> inUse = new HashMap<>(found);
    inUse.keySet().retainAll(new HashSet<>(snapshot.forwardingIds()));
    return inUse.isEmpty()
        ? ForeignReport.NOTHING
        : ForeignReport.of(
            () -> FabricPorts.of(snapshot, nib::edgePorts), own, inUse, southbound::ownerOf);
  }

  private void evaluate() {
    ForeignReport report = report(forwarding.installed());
    if (!report.equals(latest)) {
      latest = report;
      announce(report);
      show.accept(report);
    }
    if (nib.config().foreignRules() == ForeignRulePolicy.REMOVE) {
      remove(report);
    }
  }

  private void announce(ForeignReport report) {
    Map<List<Object>, String> now = new LinkedHashMap<>();
    for (ForeignFinding finding : report.harmful()) {
      List<Object> rule = List.of(finding.switchId(), finding.rule());
      now.put(rule, finding.toString());
      if (!named.containsKey(rule)) {
        LOG.warn("{}", finding);
        events.note(Event.Kind.FOREIGN_RULE, finding.toString(), loop.nanoTime());
      }
    }
    named.forEach(
        (rule, text) -> {
          if (!now.containsKey(rule)) {
            String subject = rule.get(0) + ": foreign rule " + rule.get(1);
            LOG.info("{} no longer harms traffic", subject);
            events.note(Event.Kind.FOREIGN_RULE_GONE, subject, loop.nanoTime());
          }
        });
    named = now;
  }

  private void remove(ForeignReport report) {
    Map<String, List<ForeignRule>> bySwitch = new LinkedHashMap<>();
    for (ForeignFinding finding : report.findings()) {
      if (!finding.isHarmless() || finding.rule().bridges()) {
        bySwitch.computeIfAbsent(finding.switchId(), id -> new ArrayList<>()).add(finding.rule());
      }
    }
    if (!southbound.removesForeign()) {
      if (!bySwitch.isEmpty() && !saidNotRemoved) {
        saidNotRemoved = true;
        LOG.warn("foreignRules is \"remove\", but this runtime never removes foreign rules");
      }
      return;
    }
    bySwitch.forEach(
        (switchId, rules) -> {
          if (nib.connected(switchId)
              && !removedNanos.containsKey(switchId)
              && removing.add(switchId)) {
            southbound
                .removeForeign(switchId, rules)
                .whenComplete(
                    (nothing, error) -> loop.execute(() -> removed(switchId, rules, error)));
          }
        });
  }

  private void removed(String switchId, List<ForeignRule> rules, Throwable error) {
    removing.remove(switchId);
    if (error != null) {
      LOG.warn("{}: foreign rules are not removed: {}", switchId, error.getMessage());
      return;
    }
    removedNanos.put(switchId, loop.nanoTime());
    String subjects =
        rules.stream().map(rule -> "foreign rule " + rule).collect(Collectors.joining("; "));
    LOG.warn("{}: removed {}", switchId, subjects);
    for (ForeignRule rule : rules) {
      events.note(
          Event.Kind.FOREIGN_RULE_REMOVED, switchId + ": foreign rule " + rule, loop.nanoTime());
    }
    readAgain.accept(switchId);
  }
}
