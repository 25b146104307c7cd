package org.evenweave.sdd.fastpass;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** FastPass timeslot by timeslot, with a list that is walked from its start in each. */
final class PlainArbiter {
  /** A pair that waits, or has waited. */
  private static final class Pair {
    final int source;
    final int destination;
    long wants;
    long served = Long.MIN_VALUE;

    Pair(int source, int destination) {
      this.source = source;
      this.destination = destination;
    }

    boolean conflicts(Pair other) {
      return source == other.source || destination == other.destination;
    }
  }

  private final Map<List<Integer>, Pair> pairs = new LinkedHashMap<>();
  private final List<Pair> requested = new ArrayList<>();

  private List<Pair> waiting = new ArrayList<>();

  /** The last batch: of each timeslot, the pairs that got it, in order. */
  private final List<List<Pair>> batch = new ArrayList<>();

  private long now;

  void request(int source, int destination, long timeslots) {
    Pair pair =
        pairs.computeIfAbsent(List.of(source, destination), p -> new Pair(source, destination));
    if (pair.wants == 0) {
      requested.add(pair);
    }
    pair.wants += timeslots;
  }

  /** Of each timeslot, the pairs that got it, as source and destination, by source. */
  List<List<List<Integer>>> allocate(int timeslots) {
    waiting.addAll(requested);
    requested.clear();
    batch.clear();
    for (int t = 0; t < timeslots; t++) {
      batch.add(new ArrayList<>());
    }
    now += timeslots;
    waiting = walk(waiting);
    return result();
  }

  /** Serves pairs in the batch's timeslots; returns who still waits, oldest first. */
  private List<Pair> walk(List<Pair> pairsInTurn) {
    List<Pair> turns = new ArrayList<>(pairsInTurn);
    // Stable: equally old ones stay in their order, those that waited before first.
    turns.sort(Comparator.comparingLong(pair -> pair.served));
    for (int t = 0; t < batch.size(); t++) {
      List<Pair> leftOver = new ArrayList<>();
      List<Pair> served = new ArrayList<>();
      for (Pair pair : turns) {
        if (batch.get(t).stream().anyMatch(pair::conflicts)) {
          leftOver.add(pair);
          continue;
        }
        batch.get(t).add(pair);
        pair.served = now - batch.size() + t;
        if (--pair.wants > 0) {
          served.add(pair);
        }
      }
      leftOver.addAll(served);
      turns = leftOver;
    }
    return turns;
  }

  private List<List<List<Integer>>> result() {
    return batch.stream()
        .map(
            timeslot ->
                timeslot.stream()
                    .sorted(Comparator.comparingInt(pair -> pair.source))
                    .map(pair -> List.of(pair.source, pair.destination))
                    .collect(Collectors.toList()))
        .collect(Collectors.toList());
  }
}
