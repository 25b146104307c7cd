package org.evenweave.engine.packets;

import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.slf4j.Logger;

/**
 * Warnings about packets from a switch's port: their sender must not be able to fill the log, so
 * each port gets one line a second at most, with the number of warnings it stands for. Safe for
 * many threads.
 */
public final class PortLog {
  private static final long PERIOD_NANOS = 1_000_000_000L;

  /** Ports with a line of their own in one second. */
  private static final int MAX_PORTS = 1024;

  private final Consumer<String> lines;
  private final LongSupplier clockNanos;
  private final KeyedLimit<SwitchPort> limit = new KeyedLimit<>(PERIOD_NANOS, MAX_PORTS);

  public PortLog(Logger log, LongSupplier clockNanos) {
    this(line -> log.warn("{}", line), clockNanos);
  }

  /**
   * @param lines takes each line
   * @param clockNanos the clock of {@link System#nanoTime}
   */
  public PortLog(Consumer<String> lines, LongSupplier clockNanos) {
    this.lines = lines;
    this.clockNanos = clockNanos;
  }

  /** Logs the problem, unless this port had a line within the last second. */
  public void warn(String switchId, int port, String problem) {
    SwitchPort end = new SwitchPort(switchId, port);
    long heldBack = limit.pass(end, clockNanos.getAsLong());
    if (heldBack >= 0) {
      String more = heldBack == 0 ? "" : " (and " + heldBack + " more since the last line)";
      lines.accept(end + ": " + problem + more);
    }
  }
}
