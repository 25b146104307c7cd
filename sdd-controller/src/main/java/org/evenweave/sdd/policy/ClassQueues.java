package org.evenweave.sdd.policy;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.evenweave.sdd.config.TrafficClass;
import org.evenweave.sdd.protocol.FlowMatch;

/** The queues of traffic classes, the same at each host. Immutable. */
final class ClassQueues {
  static final int NO_QUEUE = -1;

  private final List<TrafficClass> classes;
  private final int[] queueOf;
  private final Map<String, Integer> byName = new LinkedHashMap<>();
  private final Map<FlowMatch, Integer> flows = new LinkedHashMap<>();

  /**
   * One queue for each class with flows: its old one, or else the first that is free.
   *
   * @param before queues of classes, by name
   * @param first the smallest number of a queue
   * @param isTaken numbers that are not free, besides those of {@code before}
   */
  ClassQueues(
      List<TrafficClass> classes, Map<String, Integer> before, int first, IntPredicate isTaken) {
    this.classes = classes;
    queueOf = new int[classes.size()];
    int next = first;
    for (int c = 0; c < queueOf.length; c++) {
      queueOf[c] = NO_QUEUE;
      if (classes.get(c).flows().isEmpty()) {
        continue;
      }
      String name = classes.get(c).name();
      if (before.containsKey(name)) {
        queueOf[c] = before.get(name);
      } else {
        while (before.containsValue(next) || isTaken.test(next)) {
          next++;
        }
        queueOf[c] = next++;
      }
      byName.put(name, queueOf[c]);
      for (FlowMatch flow : classes.get(c).flows()) {
        flows.put(flow, queueOf[c]);
      }
    }
  }

  /** The queue of each class, or {@link #NO_QUEUE}. */
  int[] queueOf() {
    return queueOf;
  }

  /** The queues of classes that have one. */
  Map<String, Integer> byName() {
    return byName;
  }

  /** The class that a queue is for. */
  Optional<TrafficClass> classOf(int queue) {
    for (int c = 0; c < queueOf.length; c++) {
      if (queueOf[c] == queue) {
        return Optional.of(classes.get(c));
      }
    }
    return Optional.empty();
  }

  Map<FlowMatch, Integer> flows() {
    return flows;
  }

  /** How many queues a host must have room for. */
  int needed() {
    return 1 + Arrays.stream(queueOf).max().orElse(NO_QUEUE);
  }
}
