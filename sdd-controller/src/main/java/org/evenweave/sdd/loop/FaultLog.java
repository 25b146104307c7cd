package org.evenweave.sdd.loop;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * Logs faults of a loop that continues after them. A cause, which is the exception's class and
 * where it was thrown, is logged with its stack trace once, and after that as one line a minute
 * with a count: a period may be a millisecond long.
 */
final class FaultLog {
  static final long REPEAT_NS = 60_000_000_000L;

  /** Causes beyond these share one entry, so that memory and the log stay bounded. */
  static final int MAX_CAUSES = 16;

  private final BiConsumer<String, Throwable> log;
  private final LongSupplier nanoTime;
  private final Map<String, Entry> entries = new HashMap<>();

  private static final class Entry {
    private long loggedNs;
    private long since;
  }

  /**
   * @param log takes a sentence and an exception, or null where the stack trace is known
   * @param nanoTime as {@link System#nanoTime}
   */
  FaultLog(BiConsumer<String, Throwable> log, LongSupplier nanoTime) {
    this.log = log;
    this.nanoTime = nanoTime;
  }

  /**
   * @param consequence what does not happen because of it
   */
  synchronized void report(String consequence, Throwable fault) {
    long nowNs = nanoTime.getAsLong();
    String cause = causeOf(fault);
    Entry entry = entries.get(cause);
    if (entry == null) {
      cause = entries.size() < MAX_CAUSES ? cause : "other causes";
      entry = entries.get(cause);
    }
    if (entry == null) {
      entry = new Entry();
      entry.loggedNs = nowNs;
      entries.put(cause, entry);
      log.accept(consequence, fault);
      return;
    }
    entry.since++;
    if (nowNs - entry.loggedNs >= REPEAT_NS) {
      log.accept(consequence + ": " + cause + ", " + entry.since + " more since last logged", null);
      entry.loggedNs = nowNs;
      entry.since = 0;
    }
  }

  private static String causeOf(Throwable fault) {
    StackTraceElement[] trace = fault.getStackTrace();
    // The virtual machine leaves out the trace of an exception that it has thrown very often.
    return fault.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
  }
}
