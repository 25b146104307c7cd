package org.evenweave.engine.events;

import java.util.Map;

/**
 * Receives confirmations as they happen, on the confirming thread and with the log locked.
 * Implementations must only count and return.
 */
public interface EventObserver {
  /** Ignores everything. */
  EventObserver NONE =
      new EventObserver() {
        @Override
        public void eventConfirmed(Event.Kind kind, long nanos) {}

        @Override
        public void planConfirmed(
            int groupsChanged, int flowsChanged, Map<String, Long> stageNanos) {}
      };

  /**
   * The switches have confirmed what an event needed.
   *
   * @param nanos since the event was detected
   */
  void eventConfirmed(Event.Kind kind, long nanos);

  /**
   * The switches have confirmed a plan.
   *
   * @param stageNanos where its time went, by stage; empty if it was not timed
   */
  void planConfirmed(int groupsChanged, int flowsChanged, Map<String, Long> stageNanos);
}
