package org.evenweave.engine.audit;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.forwarding.AuditFinding;
import org.evenweave.engine.interference.ForeignWatch;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.engine.status.ViewPublisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares switches that drifted recently more often, until a minute passes without drift, and
 * reports rules that somebody changes repeatedly. Belongs to the loop.
 */
final class RepeatedDrift {
  /** Pause before a switch that drifted of late is compared again. */
  static final long FOLLOW_UP_NANOS = 5_000_000_000L;

  private static final Logger LOG = LoggerFactory.getLogger(RepeatedDrift.class);

  private final EngineLoop loop;
  private final EventLog events;
  private final ViewPublisher views;
  private final ForeignWatch foreign;
  private final Consumer<String> compare;
  private final ContestedRules contested = new ContestedRules();

  /** Switches that are compared again soon. */
  private final Set<String> followed = new HashSet<>();

  private boolean closed;

  /**
   * @param compare compares a switch
   */
  RepeatedDrift(
      EngineLoop loop,
      EventLog events,
      ViewPublisher views,
      ForeignWatch foreign,
      Consumer<String> compare) {
    this.loop = loop;
    this.events = events;
    this.views = views;
    this.foreign = foreign;
    this.compare = compare;
  }

  void close() {
    closed = true;
  }

  /** A switch was not as installed. */
  void drifted(String switchId, AuditFinding finding) {
    boolean isNewlyContested =
        contested.drifted(
            switchId,
            finding.believed(),
            finding.tables(),
            rule -> foreign.holderOf(switchId, rule),
            loop.nanoTime());
    if (isNewlyContested) {
      String reason = contested.reasons().get(switchId);
      LOG.warn("{}", reason);
      events.note(Event.Kind.RULE_CONTESTED, reason, loop.nanoTime());
    }
    show();
    follow(switchId);
  }

  private void show() {
    views.contested(List.copyOf(contested.reasons().values()));
  }

  private void follow(String switchId) {
    if (followed.add(switchId)) {
      loop.schedule(() -> followUp(switchId), FOLLOW_UP_NANOS);
    }
  }

  private void followUp(String switchId) {
    followed.remove(switchId);
    if (contested.forgetOld(loop.nanoTime())) {
      show();
    }
    if (!closed && contested.hasDriftOf(switchId)) {
      follow(switchId);
      compare.accept(switchId);
    }
  }
}
