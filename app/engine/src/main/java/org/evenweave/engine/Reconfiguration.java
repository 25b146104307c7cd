package org.evenweave.engine;

import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.evenweave.engine.config.ConfigChange;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.port.TopologyPort;
import org.evenweave.engine.reweighting.TrafficReweighting;
import org.evenweave.engine.runtime.Changes;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.engine.status.ViewPublisher;
import org.evenweave.wcmp.weights.WeightRule;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies new configurations one at a time, requested by any thread. */
final class Reconfiguration {
  private static final Logger LOG = LoggerFactory.getLogger(Reconfiguration.class);

  private final EngineLoop loop;
  private final TopologyPort topology;
  private final Nib nib;
  private final ViewPublisher views;
  private final EventLog events;
  private final TrafficReweighting traffic;
  private final Changes changes;

  /** The names under which switches are still connected that have others now. The loop's. */
  private final Set<String> leaving = new HashSet<>();

  /**
   * @param changes gets that another configuration is in force
   */
  Reconfiguration(
      EngineLoop loop,
      TopologyPort topology,
      Nib nib,
      ViewPublisher views,
      EventLog events,
      TrafficReweighting traffic,
      Changes changes) {
    this.loop = loop;
    this.topology = topology;
    this.nib = nib;
    this.views = views;
    this.events = events;
    this.traffic = traffic;
    this.changes = changes;
  }

  /** As {@link Engine#useRule}. */
  synchronized void useRule(WeightRule newRule) {
    if (views.requested().weightRule() != newRule) {
      EngineConfig before = views.requested();
      EngineConfig after = traffic.requirePossible(before, before.withWeightRule(newRule));
      apply(after, Event.Kind.STRATEGY, newRule.strategyName());
    }
  }

  /** As {@link Engine#change}. */
  EngineConfig change(UnaryOperator<EngineConfig> change) {
    while (true) {
      EngineConfig before = views.requested();
      EngineConfig after = traffic.requirePossible(before, change.apply(before));
      ConfigChange difference = new ConfigChange(before, after);
      if (difference.isEmpty()) {
        return before;
      }
      Engine.requireFit(after);
      synchronized (this) {
        if (views.requested() == before) {
          difference.requireNamesKept(views.view().snapshot()::isInUse);
          apply(after, Event.Kind.CONFIGURATION, difference.toString());
          return after;
        }
      }
    }
  }

  private void apply(EngineConfig newConfig, Event.Kind kind, String subject) {
    long atNanos = loop.nanoTime();
    views.request(newConfig);
    loop.execute(
        () -> {
          Set<String> lost = nib.config().namesLostIn(newConfig);
          nib.configure(newConfig);
          for (String switchId : nib.snapshot().forwardingIds()) {
            if (!nib.connected(switchId) && (lost.contains(switchId) || renames(switchId))) {
              // What is known of it holds for no switch that connects by this name.
              nib.markSilent(switchId);
            }
          }
          for (String switchId : new TreeSet<>(nib.connected())) {
            if (lost.contains(switchId) || renames(switchId)) {
              leaving.add(switchId);
              reconnect(switchId);
            }
          }
          events.add(kind, subject, atNanos);
          changes.changed();
        });
  }

  /** A switch that connected under another name than the configuration gives it now reconnects. */
  void reconnectIfRenamed(String switchId) {
    if (renames(switchId)) {
      reconnect(switchId);
    }
  }

  /** Whether a switch that is disconnected will not connect again by this name. */
  boolean hasLeft(String switchId) {
    return leaving.remove(switchId) || renames(switchId);
  }

  private boolean renames(String switchId) {
    return nib.config().renames(switchId);
  }

  private void reconnect(String switchId) {
    LOG.info("{} must reconnect, because its name has changed", switchId);
    topology.reconnect(switchId);
  }
}
