package org.evenweave.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/** What is logged while something is done, through the binding that ONOS's interfaces bring. */
public final class Logged {
  private Logged() {}

  /** The messages from level INFO up, as {@code WARN text}. */
  public static List<String> during(Runnable action) {
    Logger evenweave = (Logger) LoggerFactory.getLogger("org.evenweave");
    ListAppender<ILoggingEvent> appender = new ListAppender<>();
    appender.start();
    evenweave.addAppender(appender);
    try {
      action.run();
    } finally {
      evenweave.detachAppender(appender);
    }
    return appender.list.stream()
        .filter(event -> event.getLevel().isGreaterOrEqual(Level.INFO))
        .map(event -> event.getLevel() + " " + event.getFormattedMessage())
        .collect(Collectors.toList());
  }

  /** The messages of level WARN or ERROR. */
  public static List<String> alarms(Runnable action) {
    return during(action).stream()
        .filter(line -> !line.startsWith(Level.INFO.toString()))
        .collect(Collectors.toList());
  }
}
