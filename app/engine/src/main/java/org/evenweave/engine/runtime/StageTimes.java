package org.evenweave.engine.runtime;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * How long each stage of the latest plan took, from the network's state to a plan that is verified.
 * Belongs to the engine's loop; {@link #latest} is safe for many threads.
 */
public final class StageTimes {
  /** A stage, in the order of the work. */
  public enum Stage {
    /** Routes and ideal weights. */
    ROUTES,
    /** Groups laid out in slots. */
    GROUPS,
    /** Every switch's rules. */
    TABLES,
    /** The difference, in rounds. */
    PLAN,
    /** The check that no packet loops or gets lost on the way. */
    VERIFY;

    /** In lower case. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final LongSupplier clock;
  private final Map<Stage, Long> nanos = new EnumMap<>(Stage.class);
  private long startedNanos;
  private volatile PlanTimes latest = PlanTimes.NONE;

  /**
   * @param clock the engine's, by which plans begin and are verified
   */
  public StageTimes(LongSupplier clock) {
    this.clock = clock;
  }

  /** A plan is to be made. */
  public void start() {
    nanos.clear();
    startedNanos = clock.getAsLong();
  }

  /** Does work of a stage. */
  public <T> T time(Stage stage, Supplier<T> work) {
    long began = System.nanoTime();
    T result = work.get();
    add(stage, System.nanoTime() - began);
    return result;
  }

  /** Work of a stage took so long; negative if it was counted as another's before. */
  public void add(Stage stage, long moreNanos) {
    nanos.merge(stage, moreNanos, Long::sum);
  }

  /** The plan is verified. */
  public void finish() {
    latest = new PlanTimes(startedNanos, clock.getAsLong(), nanos);
  }

  /** Of the latest plan that was verified; {@link PlanTimes#NONE} before the first. */
  public PlanTimes latest() {
    return latest;
  }
}
