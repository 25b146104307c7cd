package org.evenweave.sdd.fastpass;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.schedule.Schedule;

/**
 * What {@link WeightedShares} promises, as slowly as it is said: before each timeslot all that
 * waits is looked at.
 */
final class PlainShares {
  private final int hosts;
  private final int timeslots;
  private final int slotBytes;

  /** By class and port; a source's is its number, a destination's is behind these. */
  private final long[][] levels;

  /** By class, source and destination. */
  private final long[][][] served;

  private long given;

  PlainShares(Observed seen, int timeslots, int slotBytes) {
    this.hosts = seen.demand().hosts();
    this.timeslots = timeslots;
    this.slotBytes = slotBytes;
    this.levels = new long[seen.classes()][2 * hosts];
    this.served = new long[seen.classes()][hosts][hosts];
  }

  private static final class Turn {
    private int c;
    private int source;
    private int destination;
    private long want;
    private long level;
  }

  private final class Week {
    private final Observed seen;
    private final int[][] days = new int[timeslots][hosts];
    private final boolean[][] taken = new boolean[2 * hosts][timeslots];
    private final boolean[][] wanted;
    private final boolean[][] stopped;
    private final List<Turn> turns = new ArrayList<>();

    Week(Observed seen) {
      this.seen = seen;
      this.wanted = new boolean[seen.classes()][2 * hosts];
      this.stopped = new boolean[seen.classes()][2 * hosts];
      for (int[] day : days) {
        Arrays.fill(day, Schedule.IDLE);
      }
      for (int c = 0; c < seen.classes(); c++) {
        for (int source = 0; source < hosts; source++) {
          for (int destination = 0; destination < hosts; destination++) {
            Turn turn = new Turn();
            turn.c = c;
            turn.source = source;
            turn.destination = destination;
            turn.want = (seen.of(c).get(source, destination) + slotBytes - 1) / slotBytes;
            if (turn.want > 0 && source != destination) {
              turns.add(turn);
              wanted[c][source] = true;
              wanted[c][hosts + destination] = true;
            }
          }
        }
      }
    }

    private boolean isShared(int port, int c) {
      for (int other = 0; other < seen.classes(); other++) {
        if (other != c && wanted[other][port] && seen.priority(other) == seen.priority(c)) {
          return true;
        }
      }
      return false;
    }

    private long level(Turn turn) {
      int out = turn.source;
      int in = hosts + turn.destination;
      long atSource = levels[turn.c][out];
      long atDestination = levels[turn.c][in];
      if (isShared(out, turn.c) == isShared(in, turn.c)) {
        return Math.max(atSource, atDestination) + step(turn.c);
      }
      return (isShared(out, turn.c) ? atSource : atDestination) + step(turn.c);
    }

    private long step(int c) {
      return (1L << 32) / seen.weight(c);
    }

    private void fill() {
      while (!turns.isEmpty()) {
        turns.forEach(turn -> turn.level = level(turn));
        Turn next =
            turns.stream()
                .min(
                    Comparator.<Turn>comparingInt(turn -> -seen.priority(turn.c))
                        .thenComparingLong(turn -> turn.level)
                        .thenComparingLong(turn -> served[turn.c][turn.source][turn.destination])
                        .thenComparingInt(turn -> turn.c)
                        .thenComparingInt(turn -> turn.source)
                        .thenComparingInt(turn -> turn.destination))
                .orElseThrow();
        if (!serve(next) || --next.want == 0) {
          turns.remove(next);
        }
      }
    }

    private boolean serve(Turn turn) {
      boolean[] out = taken[turn.source];
      boolean[] in = taken[hosts + turn.destination];
      for (int timeslot = 0; timeslot < timeslots; timeslot++) {
        if (!out[timeslot] && !in[timeslot]) {
          out[timeslot] = true;
          in[timeslot] = true;
          days[timeslot][turn.source] = turn.destination;
          levels[turn.c][turn.source] += step(turn.c);
          levels[turn.c][hosts + turn.destination] += step(turn.c);
          served[turn.c][turn.source][turn.destination] = ++given;
          return true;
        }
      }
      stopped[turn.c][turn.source] |= isFull(turn.source);
      stopped[turn.c][hosts + turn.destination] |= isFull(hosts + turn.destination);
      return false;
    }

    private boolean isFull(int port) {
      boolean full = true;
      for (boolean each : taken[port]) {
        full &= each;
      }
      return full;
    }

    private void end(int port) {
      long[] next = new long[seen.classes()];
      for (int c = 0; c < seen.classes(); c++) {
        List<Integer> waiting = new ArrayList<>();
        for (int other = 0; other < seen.classes(); other++) {
          if (stopped[other][port] && seen.priority(other) == seen.priority(c)) {
            waiting.add(other);
          }
        }
        if (!waiting.isEmpty()) {
          long lowest = waiting.stream().mapToLong(o -> levels[o][port]).min().orElseThrow();
          long most = waiting.stream().mapToLong(this::step).max().orElseThrow();
          next[c] = Math.min(Math.max(most, step(c)), levels[c][port] - lowest);
        }
      }
      for (int c = 0; c < seen.classes(); c++) {
        levels[c][port] = Math.max(0, next[c]);
      }
    }
  }

  /** Of each timeslot, each source's destination. */
  int[][] week(Observed seen) {
    Week week = new Week(seen);
    week.fill();
    for (int port = 0; port < 2 * hosts; port++) {
      week.end(port);
    }
    return week.days;
  }
}
