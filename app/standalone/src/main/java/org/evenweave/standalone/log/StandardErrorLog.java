package org.evenweave.standalone.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * The log of all commands: on standard error, for standard output is what a program reads, and
 * written by a thread of its own, so that no other thread ever waits for who reads it. Logback
 * finds this class as its configurator.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class StandardErrorLog extends ContextAwareBase implements Configurator {
  /** Levels by logger; {@code root} is that of all others. */
  private static final String LEVELS = "/log-levels.properties";

  private static final long REPORT_PERIOD_SECONDS = 10;

  /** Set once, by Logback's only thread of configuration. */
  private static volatile StandardErrorLog current;

  private BoundedLog queue;
  private ConsoleAppender<ILoggingEvent> writer;

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    writer = new ConsoleAppender<>();
    writer.setContext(context);
    writer.setName("standard-error");
    writer.setTarget("System.err");
    writer.setEncoder(LogFormat.TEXT.encoder(context));
    writer.start();
    queue = new BoundedLog(System::nanoTime);
    queue.setContext(context);
    queue.setName("queue");
    queue.addAppender(writer);
    queue.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.addAppender(queue);
    levels().forEach((logger, level) -> setLevel(context, (String) logger, (String) level));
    current = this;
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  private static void setLevel(LoggerContext context, String logger, String level) {
    String name = logger.equals("root") ? org.slf4j.Logger.ROOT_LOGGER_NAME : logger;
    context.getLogger(name).setLevel(Level.valueOf(level));
  }

  private static Properties levels() {
    Properties levels = new Properties();
    try (InputStream in = StandardErrorLog.class.getResourceAsStream(LEVELS)) {
      levels.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException("the log levels in the jar cannot be read", e);
    }
    return levels;
  }

  private static StandardErrorLog current() {
    LoggerFactory.getILoggerFactory();
    return current;
  }

  /**
   * Prepares the log of a command that runs for long: in a format, with what libraries log through
   * java.util.logging, with threads that end by a defect, and with regular reports of the lines
   * that were suppressed or dropped.
   */
  public static void runs(LogFormat format) {
    StandardErrorLog log = current();
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    if (format != LogFormat.TEXT) {
      log.writer.setEncoder(format.encoder(context));
    }
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
    // By default the virtual machine writes to standard error, and waits for its reader.
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, defect) ->
            LoggerFactory.getLogger(StandardErrorLog.class)
                .error("thread {} ended by a defect", thread.getName(), defect));
    context
        .getScheduledExecutorService()
        .scheduleWithFixedDelay(
            log.queue::report, REPORT_PERIOD_SECONDS, REPORT_PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  /** Writes what waits, for a second at most. To be called before the process ends. */
  public static void finish() {
    StandardErrorLog log = current;
    if (log != null) {
      log.queue.report();
      log.queue.stop();
    }
  }

  /** The counts of the process's log. */
  static BoundedLog queue() {
    return current().queue;
  }
}
