package org.evenweave.sdd.trigger;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import org.evenweave.sdd.session.Directory;
import org.evenweave.sdd.session.TriggerEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The last events of triggers, and lines in the log. Guarded by its owner. */
final class EventLog {
  private static final Logger LOG = LoggerFactory.getLogger(Triggers.class);

  /** How many events are kept to be looked at. */
  private static final int RECENT = 256;

  /** A trigger that fires more often at a host is logged once in this time. */
  private static final long LOG_NS = 1_000_000_000;

  private final Directory directory;
  private final LongSupplier nowNs;
  private final Deque<Firing> recent = new ArrayDeque<>();

  EventLog(Directory directory, LongSupplier nowNs) {
    this.directory = directory;
    this.nowNs = nowNs;
  }

  /**
   * @param event null if the host did not say
   */
  void add(Watch watch, Firing.Kind kind, long timeNs, TriggerEvent event) {
    String trigger = watch.trigger().name();
    String host = directory.nameOf(watch.host());
    long packets = event == null ? Firing.UNREPORTED : event.queuedPackets();
    long bytes = event == null ? Firing.UNREPORTED : event.queuedBytes();
    recent.addLast(new Firing(kind, trigger, host, timeNs, packets, bytes));
    if (recent.size() > RECENT) {
      recent.removeFirst();
    }
    if (watch.isLogDue(nowNs.getAsLong(), LOG_NS)) {
      LOG.info(
          "trigger {} {} at {} (fired {} times there){}",
          trigger,
          kind == Firing.Kind.FIRED ? "fired" : "ended",
          host,
          watch.firedCount(),
          event == null ? "" : ", " + bytes + " bytes waiting");
    }
  }

  /** Oldest first. */
  List<Firing> recent() {
    return List.copyOf(recent);
  }
}
