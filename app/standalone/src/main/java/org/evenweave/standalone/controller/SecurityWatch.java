package org.evenweave.standalone.controller;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every few seconds for what an operator has to do about security, such as renewing a
 * certificate, and reports it whenever that changes.
 */
public final class SecurityWatch implements AutoCloseable {
  private static final long PERIOD_SECONDS = 10;
  private static final Logger LOG = LoggerFactory.getLogger(SecurityWatch.class);

  private final Supplier<List<String>> problems;
  private final Consumer<List<String>> report;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "security");
            thread.setDaemon(true);
            return thread;
          });
  private List<String> reported = List.of();

  /**
   * @param problems a sentence for each thing to do now; one that occurs twice counts once
   * @param report gets them when they have changed
   */
  public SecurityWatch(Supplier<List<String>> problems, Consumer<List<String>> report) {
    this.problems = problems;
    this.report = report;
  }

  /** Begins to look. */
  public void start() {
    timer.scheduleWithFixedDelay(this::look, 0, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  /** Reports what there is now, if it is not what was reported last. */
  void look() {
    List<String> found = problems.get().stream().distinct().collect(Collectors.toList());
    if (!found.equals(reported)) {
      found.stream().filter(each -> !reported.contains(each)).forEach(LOG::warn);
      reported = found;
      report.accept(found);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
