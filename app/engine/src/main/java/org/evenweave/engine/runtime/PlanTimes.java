package org.evenweave.engine.runtime;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * When one plan was begun and verified, and how long each stage of its computation took. Immutable.
 */
public final class PlanTimes {
  /** Of a plan whose computation was not timed. */
  public static final PlanTimes NONE = new PlanTimes(0, 0, Map.of());

  private final long startedNanos;
  private final long verifiedNanos;
  private final Map<StageTimes.Stage, Long> stages;

  /**
   * @param startedNanos when its computation began, by the engine's clock
   * @param verifiedNanos when it was verified, by the same clock
   * @param stages the nanoseconds of each stage in between
   */
  PlanTimes(long startedNanos, long verifiedNanos, Map<StageTimes.Stage, Long> stages) {
    this.startedNanos = startedNanos;
    this.verifiedNanos = verifiedNanos;
    this.stages = Map.copyOf(stages);
  }

  /** The nanoseconds of each stage; empty if the plan was not timed. */
  public Map<StageTimes.Stage, Long> stages() {
    return stages;
  }

  /**
   * Where the time of an event went that this plan answered, in nanoseconds and in order: {@code
   * wait} until the computation began, each stage, {@code other} work until the plan was verified,
   * and {@code rounds} until the switches had confirmed. Their sum is the whole time.
   *
   * @param detectedNanos when the event was detected, by the engine's clock
   * @param confirmedNanos when the last switch had confirmed, by the same clock
   * @return empty if the plan was not timed
   */
  public Map<String, Long> between(long detectedNanos, long confirmedNanos) {
    Map<String, Long> parts = new LinkedHashMap<>();
    if (!stages.isEmpty()) {
      parts.put("wait", startedNanos - detectedNanos);
      parts.putAll(until(confirmedNanos));
    }
    return parts;
  }

  /**
   * Where the time of the plan itself went: as {@link #between}, without {@code wait}, which is
   * each event's own.
   *
   * @return empty if the plan was not timed
   */
  public Map<String, Long> until(long confirmedNanos) {
    Map<String, Long> parts = new LinkedHashMap<>();
    if (stages.isEmpty()) {
      return parts;
    }
    long timed = 0;
    for (StageTimes.Stage stage : StageTimes.Stage.values()) {
      long nanos = stages.getOrDefault(stage, 0L);
      parts.put(stage.text(), nanos);
      timed += nanos;
    }
    parts.put("other", verifiedNanos - startedNanos - timed);
    parts.put("rounds", confirmedNanos - verifiedNanos);
    return parts;
  }
}
