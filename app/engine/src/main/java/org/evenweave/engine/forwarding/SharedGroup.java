package org.evenweave.engine.forwarding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.evenweave.wcmp.weights.IdealGroup;

/**
 * The destinations to which one switch has the same next hops in the same ideal weights, or those
 * that share a group although they differ, and the installed groups that their prefixes use.
 */
final class SharedGroup {
  final IdealGroup ideal;

  /** The next hops and weights that its destinations have. */
  final List<IdealGroup> served;

  /** The least oversubscription of the worst of these: that of a table without limits. */
  final double factor;

  /** Prefixes of all its destinations. */
  int prefixCount;

  /** The distances of its destinations, in links. */
  int nearest = Integer.MAX_VALUE;

  int farthest;

  private int[] usedIds = new int[2];
  private int[] votes = new int[2];
  private int usedCount;

  SharedGroup(IdealGroup ideal) {
    this(ideal, Collections.singletonList(ideal), 1);
  }

  private SharedGroup(IdealGroup ideal, List<IdealGroup> served, double factor) {
    this.ideal = ideal;
    this.served = served;
    this.factor = factor;
  }

  /**
   * One group for the destinations of several.
   *
   * @param ideal its next hops, which all of these have, and its weights
   */
  static SharedGroup together(List<SharedGroup> parts, IdealGroup ideal, double factor) {
    List<IdealGroup> served = new ArrayList<>();
    parts.forEach(part -> served.addAll(part.served));
    SharedGroup group = new SharedGroup(ideal, served, factor);
    for (SharedGroup part : parts) {
      group.prefixCount += part.prefixCount;
      group.nearest = Math.min(group.nearest, part.nearest);
      group.farthest = Math.max(group.farthest, part.farthest);
      for (int i = 0; i < part.usedCount; i++) {
        group.use(part.usedIds[i], part.votes[i]);
      }
    }
    return group;
  }

  /** One more destination with so many prefixes. */
  void add(int prefixes, int hops) {
    prefixCount += prefixes;
    nearest = Math.min(nearest, hops);
    farthest = Math.max(farthest, hops);
  }

  /** So many of its prefixes use an installed group. */
  void use(int groupId, int prefixes) {
    int i = indexOf(groupId);
    if (i == usedCount) {
      if (usedCount == usedIds.length) {
        usedIds = Arrays.copyOf(usedIds, 2 * usedCount);
        votes = Arrays.copyOf(votes, 2 * usedCount);
      }
      usedIds[usedCount] = groupId;
      votes[usedCount++] = 0;
    }
    votes[i] += prefixes;
  }

  private int indexOf(int groupId) {
    int i = 0;
    while (i < usedCount && usedIds[i] != groupId) {
      i++;
    }
    return i;
  }

  /** How many of its prefixes use an installed group. */
  int usersOf(int groupId) {
    int i = indexOf(groupId);
    return i == usedCount ? 0 : votes[i];
  }

  /** The installed group that most of its prefixes use, of several the lowest; 0 for none. */
  int mostUsed() {
    int best = -1;
    for (int i = 0; i < usedCount; i++) {
      if (best < 0
          || votes[i] > votes[best]
          || (votes[i] == votes[best] && usedIds[i] < usedIds[best])) {
        best = i;
      }
    }
    return best < 0 ? 0 : usedIds[best];
  }
}
