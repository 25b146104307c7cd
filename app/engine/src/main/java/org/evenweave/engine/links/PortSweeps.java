package org.evenweave.engine.links;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.evenweave.engine.port.PortCounters;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Reads the counters of all ports twice: no switch is read the second time before all have answered
 * the first request. That order is what {@link DirectionLoss} needs. A switch that does not answer
 * in {@link #LONGEST_NANOS} is excluded from the reading, so that a slow one holds up no other.
 * Belongs to the engine's loop.
 */
final class PortSweeps {
  /** For one of the two sweeps; both are over before the next reading begins. */
  static final long LONGEST_NANOS = 900_000_000L;

  /** What a switch answered, and between which moments it looked. */
  private static final class Answer {
    final Map<Integer, PortCounters> counters;
    final long askedAtNanos;
    final long answeredAtNanos;

    Answer(Map<Integer, PortCounters> counters, long askedAtNanos, long answeredAtNanos) {
      this.counters = counters;
      this.askedAtNanos = askedAtNanos;
      this.answeredAtNanos = answeredAtNanos;
    }

    long nanos() {
      return answeredAtNanos - askedAtNanos;
    }

    /** Null if there is no such port. */
    PortLook of(int port) {
      PortCounters ofPort = counters.get(port);
      return ofPort == null ? null : new PortLook(ofPort, askedAtNanos, answeredAtNanos);
    }
  }

  /** What one reading brought. */
  static final class Reading {
    private final Map<String, Answer> first;
    private final Map<String, Answer> second;

    private Reading(Map<String, Answer> first, Map<String, Answer> second) {
      this.first = first;
      this.second = second;
    }

    /** The switches that answered both times. */
    Set<String> switchIds() {
      return second.keySet();
    }

    /** How long the slower of a switch's two answers took, or -1 if it did not answer. */
    long answerNanos(String switchId) {
      Answer one = first.get(switchId);
      Answer two = second.get(switchId);
      return one == null || two == null ? -1 : Math.max(one.nanos(), two.nanos());
    }

    /** The later look at each port of the switches that answered. */
    void forEach(Looks looks) {
      second.forEach(
          (switchId, answer) ->
              answer
                  .counters
                  .keySet()
                  .forEach(port -> looks.accept(new SwitchPort(switchId, port), answer.of(port))));
    }

    /** The two looks at a port; null if its switch did not answer, or has no such port. */
    PortLook[] of(SwitchPort port) {
      Answer one = first.get(port.switchId());
      Answer two = second.get(port.switchId());
      PortLook before = one == null ? null : one.of(port.number());
      PortLook after = two == null ? null : two.of(port.number());
      return before == null || after == null ? null : new PortLook[] {before, after};
    }
  }

  /** Takes what a port has counted. */
  interface Looks {
    void accept(SwitchPort port, PortLook look);
  }

  /** Takes a reading when it is complete. */
  interface Done {
    void accept(Reading reading);
  }

  private final EngineLoop loop;
  private final Function<String, CompletableFuture<Map<Integer, PortCounters>>> count;

  /** The sweep in progress; answers to others come too late. */
  private Sweep current;

  /**
   * @param count asks a switch what its ports have counted
   */
  PortSweeps(
      EngineLoop loop, Function<String, CompletableFuture<Map<Integer, PortCounters>>> count) {
    this.loop = loop;
    this.count = count;
  }

  /** Begins a reading, unless one is in progress. */
  void read(Collection<String> switchIds, Done done) {
    if (current == null) {
      sweep(
          switchIds,
          first -> sweep(first.keySet(), second -> done.accept(new Reading(first, second))));
    }
  }

  private void sweep(Collection<String> switchIds, SweepDone done) {
    Sweep sweep = new Sweep(switchIds, done);
    current = sweep;
    // Of a copy: a runtime may answer before it returns.
    for (String switchId : new TreeSet<>(switchIds)) {
      long askedAtNanos = loop.nanoTime();
      count
          .apply(switchId)
          .whenComplete(
              (counters, problem) -> {
                // A refusal is an answer too.
                Map<Integer, PortCounters> counted = counters == null ? Map.of() : counters;
                Answer answer = new Answer(counted, askedAtNanos, loop.nanoTime());
                loop.execute(() -> sweep.answered(switchId, answer));
              });
    }
    loop.schedule(sweep::end, LONGEST_NANOS);
    sweep.endIfComplete();
  }

  /** Takes what the switches answered. */
  private interface SweepDone {
    void accept(Map<String, Answer> answers);
  }

  private final class Sweep {
    private final Set<String> asked;
    private final SweepDone done;
    private final Map<String, Answer> answers = new HashMap<>();

    Sweep(Collection<String> switchIds, SweepDone done) {
      this.asked = new TreeSet<>(switchIds);
      this.done = done;
    }

    void answered(String switchId, Answer answer) {
      if (current == this && asked.remove(switchId)) {
        answers.put(switchId, answer);
        endIfComplete();
      }
    }

    void endIfComplete() {
      if (asked.isEmpty()) {
        end();
      }
    }

    void end() {
      if (current == this) {
        current = null;
        done.accept(answers);
      }
    }
  }
}
