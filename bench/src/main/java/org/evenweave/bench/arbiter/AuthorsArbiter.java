package org.evenweave.bench.arbiter;

import java.util.List;
import org.evenweave.bench.common.AuthorsProgram;

/**
 * The FastPass authors' timeslot allocation behind a program that reads requests, all in decimal
 * numbers with blanks between:
 *
 * <pre>
 *   in:   nodes warmUpTimeslots timeslots requests, then for each: arrival source destination timeslots
 *   out:  timeNs admitted meanCompletionTimeslots
 * </pre>
 *
 * <p>A batch of theirs starts with the requests that arrived before it, as a step of ours does.
 */
final class AuthorsArbiter {
  private final AuthorsProgram program;

  AuthorsArbiter(AuthorsProgram program) {
    this.program = program;
  }

  /** What one run of theirs came to. */
  static final class Figures {
    double timeslotsPerSecond;
    double meanCompletionTimeslots;
    double admittedShare;

    /** Keeps the better time; the rest is the same in each run. */
    void merge(Figures other) {
      timeslotsPerSecond = Math.max(timeslotsPerSecond, other.timeslotsPerSecond);
      meanCompletionTimeslots = other.meanCompletionTimeslots;
      admittedShare = other.admittedShare;
    }
  }

  Figures run(ArbiterRun run) {
    List<String> lines = program.run(input(run));
    String[] words = lines.get(0).trim().split("\\s+", -1);
    Figures figures = new Figures();
    figures.timeslotsPerSecond = run.timeslots() * 1e9 / Double.parseDouble(words[0]);
    figures.admittedShare =
        Long.parseLong(words[1]) / (double) requestedIn(run, run.warmUpTimeslots());
    figures.meanCompletionTimeslots = Double.parseDouble(words[2]);
    return figures;
  }

  /** The timeslots that are requested from one on. */
  private static long requestedIn(ArbiterRun run, int from) {
    PoissonRequests requests = run.requests();
    long sum = 0;
    for (int i = 0; i < requests.count; i++) {
      sum += requests.arrival[i] >= from ? requests.timeslots[i] : 0;
    }
    return sum;
  }

  private static String input(ArbiterRun run) {
    PoissonRequests requests = run.requests();
    StringBuilder text = new StringBuilder();
    text.append(run.nodes()).append(' ').append(run.warmUpTimeslots()).append(' ');
    text.append(run.timeslots()).append(' ').append(requests.count).append('\n');
    for (int i = 0; i < requests.count; i++) {
      text.append(requests.arrival[i]).append(' ').append(requests.source[i]).append(' ');
      text.append(requests.destination[i]).append(' ').append(requests.timeslots[i]).append('\n');
    }
    return text.toString();
  }
}
