package org.evenweave.standalone.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.engine.packets.TokenBucket;

/**
 * Limits how many lines of one kind are logged: {@link #BURST} at once and {@link #PER_SECOND} a
 * second in the long run. Lines are of one kind if one place in the code writes them: same logger,
 * same text before its arguments are filled in. Memory is bounded: of more than {@link #MAX_KINDS}
 * kinds the one is forgotten that was used least recently. Of a kind that has a stack trace, one
 * line in {@link #TRACE_PERIOD_NANOS} has it. Not thread-safe.
 */
final class KindLimits {
  /** Enough for one line of each switch when a fabric of some hundred connects. */
  static final int BURST = 200;

  static final int PER_SECOND = 2;

  /** The code has some hundred; libraries may log texts without arguments. */
  static final int MAX_KINDS = 512;

  /** A trace has forty lines, and those of one kind all say the same. */
  static final long TRACE_PERIOD_NANOS = 60_000_000_000L;

  /** By use, the least recent first. */
  private final Map<String, Kind> kinds = new LinkedHashMap<>(64, 0.75f, true);

  /** Lines of one kind that were suppressed. */
  static final class Suppressed {
    /** One of the lines. */
    final ILoggingEvent line;

    /** At least 1. */
    final long count;

    private Suppressed(ILoggingEvent line, long count) {
      this.line = line;
      this.count = count;
    }
  }

  private static final class Kind {
    final TokenBucket allowed;
    long nextTraceNanos;
    ILoggingEvent suppressedLine;
    long suppressed;

    Kind(long nowNanos) {
      allowed = new TokenBucket(PER_SECOND, BURST, nowNanos);
      nextTraceNanos = nowNanos;
    }
  }

  /** Whether a line may be logged; one that may not counts as suppressed. */
  boolean admits(ILoggingEvent line, long nowNanos) {
    Kind kind = kinds.computeIfAbsent(nameOf(line), key -> new Kind(nowNanos));
    if (kinds.size() > MAX_KINDS) {
      Iterator<Kind> leastRecent = kinds.values().iterator();
      leastRecent.next();
      leastRecent.remove();
    }
    if (kind.allowed.take(nowNanos)) {
      return true;
    }
    kind.suppressed++;
    kind.suppressedLine = line;
    return false;
  }

  /** Whether the stack trace of a line that was admitted may be logged. */
  boolean admitsTrace(ILoggingEvent line, long nowNanos) {
    Kind kind = kinds.get(nameOf(line));
    if (kind == null || nowNanos - kind.nextTraceNanos < 0) {
      return false;
    }
    kind.nextTraceNanos = nowNanos + TRACE_PERIOD_NANOS;
    return true;
  }

  private static String nameOf(ILoggingEvent line) {
    return line.getLoggerName() + ' ' + line.getMessage();
  }

  /** How many kinds are remembered. */
  int size() {
    return kinds.size();
  }

  /** What was suppressed since the last call, by kind. */
  List<Suppressed> takeSuppressed() {
    List<Suppressed> taken = new ArrayList<>();
    for (Kind kind : kinds.values()) {
      if (kind.suppressed > 0) {
        taken.add(new Suppressed(kind.suppressedLine, kind.suppressed));
        kind.suppressed = 0;
        kind.suppressedLine = null;
      }
    }
    return taken;
  }
}
