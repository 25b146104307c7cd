package org.evenweave.standalone.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A log whose writer stands still until the test lets it go on. */
class BoundedLogTest {
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final LoggerContext context = new LoggerContext();
  private final Logger logger = context.getLogger("Test");
  private final BlockingQueue<String> written = new LinkedBlockingQueue<>();
  private final CountDownLatch writing = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private long nowNanos;
  private final BoundedLog log = new BoundedLog(() -> nowNanos);

  @BeforeEach
  void start() {
    context.setMDCAdapter(new LogbackMDCAdapter());
    AppenderBase<ILoggingEvent> reader =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent line) {
            writing.countDown();
            try {
              released.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            boolean isTraced = line.getThrowableProxy() != null;
            written.add(line.getFormattedMessage() + (isTraced ? " with a trace" : ""));
          }
        };
    reader.setContext(context);
    reader.start();
    log.setContext(context);
    log.addAppender(reader);
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void stop() {
    released.countDown();
    log.stop();
  }

  /** Each line of a kind of its own, so that none is suppressed. */
  private void logLines(String text, int count) {
    for (int line = 0; line < count; line++) {
      logger.info(text + line);
    }
  }

  /** As without file handles, where each attempt to accept a connection fails. */
  @Test
  void aLineThatComesAgainAndAgainHasItsStackTraceOnceAMinute() throws InterruptedException {
    released.countDown();
    IllegalStateException problem = new IllegalStateException("Too many open files");
    for (int i = 0; i < 3; i++) {
      logger.warn("cannot accept", problem);
      nowNanos += 20 * SECOND_NANOS;
    }
    logger.warn("cannot accept", problem);
    String withoutTrace = "cannot accept: java.lang.IllegalStateException: Too many open files";
    assertEquals("cannot accept with a trace", next());
    assertEquals(withoutTrace, next());
    assertEquals(withoutTrace, next());
    assertEquals("cannot accept with a trace", next());
  }

  /** The next line that was written; the limit is a hang guard. */
  private String next() throws InterruptedException {
    return written.poll(60, TimeUnit.SECONDS);
  }

  /** That this returns shows that nobody waits: the writer goes on only afterwards. */
  @Test
  void whoLogsNeverWaitsAndEveryLineIsWrittenOrCounted() throws InterruptedException {
    logLines("first ", 1);
    writing.await();
    int more = BoundedLog.MAX_WAITING + 1000;
    logLines("line ", more);
    assertEquals(1000, log.dropped());
    assertEquals(BoundedLog.MAX_WAITING, log.waiting());
    released.countDown();
    assertEquals("first 0", next());
    for (int line = 0; line < BoundedLog.MAX_WAITING; line++) {
      assertEquals("line " + line, next());
    }
    log.report();
    assertEquals(
        "dropped 1000 log lines: 8192 waited already, as the log was not read or written", next());
    log.report();
    logLines("later ", 1);
    assertEquals("later 0", next(), "what is lost is reported once");
  }

  @Test
  void linesOfOneKindAreSuppressedBeyondARateAndCounted() throws InterruptedException {
    released.countDown();
    for (int line = 0; line < 1000; line++) {
      logger.warn("{}: connection closed", line);
    }
    logger.warn("another kind");
    for (int line = 0; line < KindLimits.BURST; line++) {
      assertEquals(line + ": connection closed", next());
    }
    assertEquals("another kind", next());
    int suppressed = 1000 - KindLimits.BURST;
    assertEquals(suppressed, log.suppressed());
    log.report();
    assertEquals(
        "suppressed " + suppressed + " more lines like this: 999: connection closed", next());
    nowNanos += SECOND_NANOS;
    for (int line = 0; line < 10; line++) {
      logger.warn("{}: connection closed", line);
    }
    log.report();
    for (int line = 0; line < KindLimits.PER_SECOND; line++) {
      assertEquals(line + ": connection closed", next());
    }
    assertEquals("suppressed 8 more lines like this: 9: connection closed", next());
  }

  @Test
  void kindsWithoutEndTakeBoundedMemoryAndKeepTheirAccount() {
    released.countDown();
    KindLimits limits = new KindLimits();
    for (int kind = 0; kind < 10 * KindLimits.MAX_KINDS; kind++) {
      assertTrue(limits.admits(line("kind " + kind), nowNanos));
    }
    assertEquals(KindLimits.MAX_KINDS, limits.size());
    assertEquals(List.of(), limits.takeSuppressed());
  }

  private ILoggingEvent line(String text) {
    return new LoggingEvent("", logger, Level.INFO, text, null, null);
  }
}
