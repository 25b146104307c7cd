package org.evenweave.standalone.service;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the state of this process to systemd, if systemd started it with {@code Type=notify}. Its
 * protocol (sd_notify(3)) is a datagram over a UNIX socket, which Java does not have, so the
 * program {@code systemd-notify} sends it: the unit needs {@code NotifyAccess=all}. Safe for many
 * threads.
 */
public final class ServiceManager {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceManager.class);
  private static final long MOST_SECONDS = 5;

  /** Signs of life that may be lost before the watchdog acts. */
  private static final int SIGNS_PER_TIMEOUT = 3;

  /** Sends states such as {@code READY=1}. */
  @FunctionalInterface
  interface Sender {
    void send(List<String> states);
  }

  private final boolean isThere;
  private final long watchdogMicros;
  private final Sender sender;

  ServiceManager(Map<String, String> environment, long pid, Sender sender) {
    this.isThere = environment.containsKey("NOTIFY_SOCKET");
    String process = environment.get("WATCHDOG_PID");
    boolean isForUs = process == null || process.equals(Long.toString(pid));
    this.watchdogMicros = isForUs ? micros(environment.get("WATCHDOG_USEC")) : 0;
    this.sender = sender;
  }

  /** The manager that started this process; one that does nothing if none did. */
  public static ServiceManager ofProcess() {
    return new ServiceManager(
        System.getenv(), ProcessHandle.current().pid(), ServiceManager::systemdNotify);
  }

  /**
   * The process serves now. From now on the watchdog gets signs of life while the process is alive.
   *
   * @param isAlive whether all that the process needs runs; asked on a thread of its own
   */
  public void ready(BooleanSupplier isAlive) {
    if (!isThere) {
      return;
    }
    sender.send(List.of("READY=1"));
    if (watchdogMicros > 0) {
      ScheduledExecutorService clock =
          Executors.newSingleThreadScheduledExecutor(
              task -> {
                Thread thread = new Thread(task, "service manager");
                thread.setDaemon(true);
                return thread;
              });
      long period = Math.max(1, watchdogMicros / SIGNS_PER_TIMEOUT);
      clock.scheduleAtFixedRate(() -> sign(isAlive), period, period, TimeUnit.MICROSECONDS);
    }
  }

  /** One sign of life, unless something is stalled. */
  void sign(BooleanSupplier isAlive) {
    if (isAlive.getAsBoolean()) {
      sender.send(List.of("WATCHDOG=1"));
    } else {
      LOG.error("sends no watchdog notification to the service manager: a thread has stalled");
    }
  }

  /**
   * Runs something when the process ends by a signal or an exit, after the manager was told; at
   * once if it ends already, because a signal came while it started.
   */
  public void atEnd(Runnable action) {
    Runnable end =
        () -> {
          stopping();
          action.run();
        };
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(end, "shutdown"));
    } catch (IllegalStateException e) {
      end.run();
    }
  }

  /** The process ends. */
  void stopping() {
    if (isThere) {
      sender.send(List.of("STOPPING=1"));
    }
  }

  private static long micros(String text) {
    try {
      return text == null ? 0 : Math.max(0, Long.parseLong(text));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** A failure is logged: systemd then acts as it does for a process that does not answer. */
  private static void systemdNotify(List<String> states) {
    ProcessBuilder command = new ProcessBuilder("systemd-notify");
    command.command().addAll(states);
    command.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    try {
      Process process = command.start();
      if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        LOG.warn("systemd-notify {} does not end", states);
      } else if (process.exitValue() != 0) {
        LOG.warn("systemd-notify {} ended with status {}", states, process.exitValue());
      }
    } catch (IOException e) {
      LOG.warn("cannot notify the service manager of \"{}\": {}", states, e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
