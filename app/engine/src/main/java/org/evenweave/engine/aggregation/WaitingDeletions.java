package org.evenweave.engine.aggregation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * Rules to delete that wait: for the puts of longer prefixes inside theirs, and for such rules of
 * shorter prefixes around theirs. Each put and each deletion looks at most at 32 others.
 */
final class WaitingDeletions {
  private final TreeSet<Ipv4Prefix> waiting;

  /** By prefix that waits, how many puts inside it are to come. */
  private final Map<Ipv4Prefix, Integer> putsInside = new HashMap<>();

  /** Those that may have nothing left to wait for. */
  private final Deque<Ipv4Prefix> candidates;

  WaitingDeletions(Collection<Ipv4Prefix> deletions, Collection<Ipv4Prefix> puts) {
    waiting = new TreeSet<>(deletions);
    candidates = new ArrayDeque<>(deletions);
    puts.forEach(put -> count(put, 1));
  }

  private void count(Ipv4Prefix put, int change) {
    for (Ipv4Prefix next = StepsInRoom.around(put); next != null; next = StepsInRoom.around(next)) {
      if (waiting.contains(next) && putsInside.merge(next, change, Integer::sum) == 0) {
        candidates.add(next);
      }
    }
  }

  /** A rule is put. */
  void put(Ipv4Prefix prefix) {
    count(prefix, -1);
  }

  /** A rule is deleted without having waited. */
  void delete(Ipv4Prefix prefix) {
    if (waiting.remove(prefix)) {
      for (Ipv4Prefix inside : waiting.tailSet(prefix)) {
        if (!prefix.overlaps(inside)) {
          break;
        }
        candidates.add(inside);
      }
    }
  }

  /** Those that have nothing left to wait for; they are deleted. */
  List<Ipv4Prefix> take() {
    List<Ipv4Prefix> taken = new ArrayList<>();
    while (!candidates.isEmpty()) {
      Ipv4Prefix next = candidates.remove();
      if (waiting.contains(next) && !hasToWait(next)) {
        taken.add(next);
        delete(next);
      }
    }
    return taken;
  }

  private boolean hasToWait(Ipv4Prefix prefix) {
    boolean waits = putsInside.getOrDefault(prefix, 0) > 0;
    for (Ipv4Prefix next = StepsInRoom.around(prefix);
        !waits && next != null;
        next = StepsInRoom.around(next)) {
      waits = waiting.contains(next);
    }
    return waits;
  }
}
