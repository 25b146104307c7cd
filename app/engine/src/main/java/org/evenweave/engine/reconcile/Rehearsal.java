package org.evenweave.engine.reconcile;

import org.evenweave.engine.config.EngineConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the virtual machine load and compile what handles the first failure of a link, by failures of
 * a fabric in memory ({@link RehearsedFailures}), of which nothing is kept.
 */
public final class Rehearsal implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);

  /** Links that fail and return; after these the code is compiled (docs/how-it-works.md). */
  private static final int FAILURES = 100;

  /**
   * The same on behalf of a large fabric, where one failure changes thousands of switches: code
   * that a small one runs too seldom to have it compiled counts there.
   */
  private static final int FAILURES_OF_LARGE = 1600;

  /** On a slow machine it ends before. */
  private static final long MOST_NANOS = 5_000_000_000L;

  private volatile boolean closed;

  private Rehearsal() {}

  /**
   * Begins one on a thread of its own, which ends by itself within seconds.
   *
   * @param config with which an engine starts, or may start
   */
  public static Rehearsal start(EngineConfig config) {
    Rehearsal rehearsal = new Rehearsal();
    Thread thread = new Thread(() -> rehearsal.runLogged(config), "evenweave-rehearsal");
    thread.setDaemon(true);
    thread.start();
    return rehearsal;
  }

  /** Runs one to its end before an engine starts. */
  public static void runFirst(EngineConfig config) {
    new Rehearsal().run(config);
  }

  /** Ends it with the plan in progress. */
  @Override
  public void close() {
    closed = true;
  }

  /** A defect harms no engine, and must not pass unseen. */
  private void runLogged(EngineConfig config) {
    try {
      run(config);
    } catch (RuntimeException e) {
      LOG.error("the rehearsal of failures ended early", e);
    }
  }

  private void run(EngineConfig config) {
    int failures = RehearsedFailures.isLarge(config) ? FAILURES_OF_LARGE : FAILURES;
    new RehearsedFailures(config, () -> closed).run(failures, MOST_NANOS);
  }
}
