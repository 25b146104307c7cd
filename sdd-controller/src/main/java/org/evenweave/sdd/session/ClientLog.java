package org.evenweave.sdd.session;

import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.MessageFormatter;

/**
 * Log lines caused by one client: {@value #LINES} lines a minute at most, whatever it sends and
 * however often it connects, each of {@value #MAX_CHARACTERS} characters without control
 * characters, so that no client can fill the disk or write lines of its own. Lines that are left
 * out are counted in the next one. Thread-safe.
 */
public final class ClientLog {
  static final int LINES = 20;
  static final int MAX_CHARACTERS = 600;
  static final long WINDOW_NS = 60_000_000_000L;

  private static final Logger LOG = LoggerFactory.getLogger(ClientLog.class);

  private final LongSupplier nanoTime;
  private final Consumer<String> info;
  private final Consumer<String> warn;
  private long windowNs;
  private int lines;
  private long leftOut;

  ClientLog() {
    this(System::nanoTime, LOG::info, LOG::warn);
  }

  /**
   * @param nanoTime as {@link System#nanoTime}
   */
  ClientLog(LongSupplier nanoTime, Consumer<String> info, Consumer<String> warn) {
    this.nanoTime = nanoTime;
    this.info = info;
    this.warn = warn;
    this.windowNs = nanoTime.getAsLong();
  }

  /**
   * @param format as of slf4j
   */
  public void info(String format, Object... arguments) {
    log(info, format, arguments);
  }

  /**
   * @param format as of slf4j
   */
  public void warn(String format, Object... arguments) {
    log(warn, format, arguments);
  }

  private synchronized void log(Consumer<String> to, String format, Object... arguments) {
    long nowNs = nanoTime.getAsLong();
    if (nowNs - windowNs >= WINDOW_NS) {
      windowNs = nowNs;
      lines = 0;
    }
    if (lines == LINES) {
      leftOut++;
      return;
    }
    lines++;
    String line = printable(MessageFormatter.arrayFormat(format, arguments).getMessage());
    to.accept(leftOut == 0 ? line : line + " (" + leftOut + " lines before it left out)");
    leftOut = 0;
  }

  private static String printable(String line) {
    String start = line.length() > MAX_CHARACTERS ? line.substring(0, MAX_CHARACTERS) : line;
    return start.replaceAll("\\p{Cntrl}", "?");
  }
}
