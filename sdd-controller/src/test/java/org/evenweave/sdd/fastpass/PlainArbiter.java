package org.evenweave.sdd.fastpass;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
  }

  private final Map<List<Integer>, Pair> pairs = new LinkedHashMap<>();
  private final List<Pair> requested = new ArrayList<>();
  private List<Pair> waiting = new ArrayList<>();
  private long now;

  void request(int source, int destination, long timeslots) {
    Pair pair =
        pairs.computeIfAbsent(List.of(source, destination), p -> new Pair(source, destination));
    if (pair.wants == 0) {
      requested.add(pair);
    }
    pair.wants += timeslots;
  }

  /** Of each timeslot, the pairs that got it, as source and destination, in order. */
  List<List<List<Integer>>> allocate(int timeslots) {
    waiting.addAll(requested);
    requested.clear();
    // Stable: equally old ones stay in their order, those that waited before first.
    waiting.sort(Comparator.comparingLong(pair -> pair.served));
    List<List<List<Integer>>> batch = new ArrayList<>();
    for (int t = 0; t < timeslots; t++) {
      List<Integer> sources = new ArrayList<>();
      List<Integer> destinations = new ArrayList<>();
      List<Pair> leftOver = new ArrayList<>();
      List<Pair> served = new ArrayList<>();
      List<List<Integer>> admitted = new ArrayList<>();
      for (Pair pair : waiting) {
        if (sources.contains(pair.source) || destinations.contains(pair.destination)) {
          leftOver.add(pair);
          continue;
        }
        sources.add(pair.source);
        destinations.add(pair.destination);
        admitted.add(List.of(pair.source, pair.destination));
        pair.served = now;
        if (--pair.wants > 0) {
          served.add(pair);
        }
      }
      batch.add(admitted);
      leftOver.addAll(served);
      waiting = leftOver;
      now++;
    }
    return batch;
  }
}
