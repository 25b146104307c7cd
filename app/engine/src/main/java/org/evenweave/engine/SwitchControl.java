package org.evenweave.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.engine.status.ViewPublisher;

/**
 * Tracks why the engine cannot program a connected switch: another controller is its master, or
 * another switch uses its datapath id. Belongs to the loop.
 */
final class SwitchControl {
  /** A switch that is refused tries again; Open vSwitch does so every 8 s at least. */
  static final long DUPLICATE_HOLD_NANOS = 30_000_000_000L;

  /** Anyone who reaches the port can connect with any datapath id. */
  private static final int MAX_DUPLICATES = 100;

  private final EngineLoop loop;
  private final EventLog events;
  private final ViewPublisher views;
  private final Set<String> barred = new TreeSet<>();
  private final Map<String, Duplicate> duplicates = new TreeMap<>();

  private static final class Duplicate {
    final String reason;
    long atNanos;

    Duplicate(String reason) {
      this.reason = reason;
    }
  }

  SwitchControl(EngineLoop loop, EventLog events, ViewPublisher views) {
    this.loop = loop;
    this.events = events;
    this.views = views;
  }

  /** Another controller has become a switch's master, or is not any more. */
  void barred(String switchId, boolean isBarred, long atNanos) {
    String reason = "another controller is master of " + switchId;
    if (isBarred) {
      barred.add(switchId);
      events.note(Event.Kind.OTHER_MASTER, reason, atNanos);
    } else {
      barred.remove(switchId);
    }
    views.barred(switchId, isBarred ? reason : "");
  }

  /** The master of a switch that is barred was found out. */
  void otherMaster(String switchId, String address) {
    if (barred.contains(switchId)) {
      views.barred(switchId, "another controller at " + address + " is master of " + switchId);
    }
  }

  /** A switch with another's datapath id was refused. */
  void duplicate(String switchId, String used, String refused, long atNanos) {
    Duplicate known = duplicates.get(switchId);
    if (known == null) {
      if (duplicates.size() == MAX_DUPLICATES) {
        return;
      }
      known =
          new Duplicate(
              "two switches have the datapath id of "
                  + switchId
                  + ": the one at "
                  + used
                  + " is used, the one at "
                  + refused
                  + " is refused");
      duplicates.put(switchId, known);
      events.note(Event.Kind.DUPLICATE_DATAPATH, known.reason, atNanos);
      loop.schedule(() -> forget(switchId), DUPLICATE_HOLD_NANOS);
      report();
    }
    known.atNanos = loop.nanoTime();
  }

  private void forget(String switchId) {
    long leftNanos = duplicates.get(switchId).atNanos + DUPLICATE_HOLD_NANOS - loop.nanoTime();
    if (leftNanos > 0) {
      loop.schedule(() -> forget(switchId), leftNanos);
    } else {
      duplicates.remove(switchId);
      report();
    }
  }

  private void report() {
    List<String> reasons = new ArrayList<>();
    duplicates.values().forEach(duplicate -> reasons.add(duplicate.reason));
    views.outside("duplicates", reasons);
  }
}
