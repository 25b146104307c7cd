package org.evenweave.standalone.log;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.util.function.LongSupplier;

/**
 * The queue between the threads that log and the one that writes. A thread that logs never waits:
 * while the queue is full, because nobody reads the log or its disk is stalled, lines are dropped
 * and counted. Lines of one kind beyond a rate are suppressed, and counted too ({@link
 * KindLimits}). Both counts are reported in the log. Safe for many threads.
 */
final class BoundedLog extends AsyncAppender {
  /** Lines that wait to be written. At 300 bytes a line this is some 2.5 MB. */
  static final int MAX_WAITING = 8192;

  private final KindLimits limits = new KindLimits();
  private final LongSupplier clockNanos;
  private long dropped;
  private long suppressed;
  private long reportedDropped;

  /**
   * @param clockNanos the clock of {@link System#nanoTime}
   */
  BoundedLog(LongSupplier clockNanos) {
    this.clockNanos = clockNanos;
    setQueueSize(MAX_WAITING);
    setNeverBlock(true);
    // By default Logback drops lines of level INFO when the queue is four fifths full.
    setDiscardingThreshold(0);
  }

  @Override
  protected void append(ILoggingEvent line) {
    // The text, which asks its arguments for theirs, is made before the lock is taken.
    line.prepareForDeferredProcessing();
    admit(line);
  }

  private synchronized void admit(ILoggingEvent line) {
    long now = clockNanos.getAsLong();
    if (!limits.admits(line, now)) {
      suppressed++;
    } else if (line.getThrowableProxy() == null || limits.admitsTrace(line, now)) {
      enqueue(line);
    } else {
      enqueue(withoutTrace(line));
    }
  }

  private ILoggingEvent withoutTrace(ILoggingEvent line) {
    IThrowableProxy problem = line.getThrowableProxy();
    return line(
        line.getLevel(),
        line.getLoggerName(),
        "{}: {}: {}",
        line.getFormattedMessage(),
        problem.getClassName(),
        problem.getMessage());
  }

  /** Only the writing thread takes from the queue, so a place that is free stays free. */
  private void enqueue(ILoggingEvent line) {
    if (getRemainingCapacity() == 0) {
      dropped++;
    } else {
      super.append(line);
    }
  }

  /** Logs how many lines were dropped and suppressed since the last report, if any were. */
  synchronized void report() {
    for (KindLimits.Suppressed kind : limits.takeSuppressed()) {
      enqueue(
          line(
              kind.line.getLevel(),
              kind.line.getLoggerName(),
              "suppressed {} more lines like this: {}",
              kind.count,
              kind.line.getFormattedMessage()));
    }
    long lost = dropped - reportedDropped;
    if (lost > 0 && getRemainingCapacity() > 0) {
      reportedDropped = dropped;
      enqueue(
          line(
              Level.WARN,
              BoundedLog.class.getName(),
              "dropped {} log lines: {} waited already, as the log was not read or written",
              lost,
              MAX_WAITING));
    }
  }

  private ILoggingEvent line(Level level, String logger, String text, Object... arguments) {
    return new LoggingEvent(
        BoundedLog.class.getName(),
        ((LoggerContext) getContext()).getLogger(logger),
        level,
        text,
        null,
        arguments);
  }

  /** Lines dropped since the start because too many waited. */
  synchronized long dropped() {
    return dropped;
  }

  /** Lines suppressed since the start because there were too many of their kind. */
  synchronized long suppressed() {
    return suppressed;
  }

  /** Lines that wait to be written now. */
  int waiting() {
    return getNumberOfElementsInQueue();
  }
}
