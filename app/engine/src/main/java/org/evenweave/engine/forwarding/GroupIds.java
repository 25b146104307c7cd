package org.evenweave.engine.forwarding;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;

/**
 * Assigns ids to the groups of one switch, so that no packet is lost when destinations move between
 * shared groups. A group grows out of the installed one that most of its prefixes use, also after a
 * restart of the controller. It keeps that one's id if it needs no change; or if it may be changed
 * in place ({@link GroupChange}) and no other prefix uses it. Otherwise it gets an id that is not
 * in use, and its prefixes move to it one by one: make before break.
 */
final class GroupIds {
  private final SwitchTables before;
  private final IntUnaryOperator usersOf;
  private final Supplier<IntStream> candidates;
  private final Set<Integer> claimed = new HashSet<>(4);
  private PrimitiveIterator.OfInt unclaimed;

  /** The installed groups that no prefix uses; null before somebody asks. */
  private List<SelectGroup> free;

  /**
   * @param usersOf how many prefixes that are still in the fabric use an installed group; rules of
   *     the others go before any group changes
   * @param candidates the ids that a new group may get, best first
   */
  GroupIds(SwitchTables before, IntUnaryOperator usersOf, Supplier<IntStream> candidates) {
    this.before = before;
    this.usersOf = usersOf;
    this.candidates = candidates;
  }

  /** A group that stays as it is keeps its id. */
  void keep(int id) {
    claimed.add(id);
  }

  /** Whether a group keeps this id, or was assigned it. */
  boolean isTaken(int id) {
    return claimed.contains(id);
  }

  /** The installed group that most of the prefixes of a group use, or null if they use none. */
  SelectGroup installedFor(SharedGroup group) {
    return before.group(group.mostUsed());
  }

  /**
   * The ids of groups of the switch: of all but those that {@link #keep} theirs, and those that are
   * not given here, whose ids their prefixes alone use.
   *
   * @param groups what is wanted
   * @param wanted aligned: the buckets, whatever their ids
   */
  int[] assign(List<SharedGroup> groups, List<SelectGroup> wanted) {
    int[] ids = new int[groups.size()];
    for (int g = 0; g < ids.length; g++) {
      SelectGroup old = installedFor(groups.get(g));
      if (old != null && old.hasBucketsOf(wanted.get(g))) {
        ids[g] = claimed.add(old.id()) ? old.id() : 0;
      }
    }
    for (int g = 0; g < ids.length; g++) {
      SelectGroup old = installedFor(groups.get(g));
      if (ids[g] == 0
          && old != null
          && mayChange(old, groups.get(g), wanted.get(g))
          && claimed.add(old.id())) {
        ids[g] = old.id();
      }
    }
    for (int g = 0; g < ids.length; g++) {
      ids[g] = ids[g] == 0 ? abandoned(wanted.get(g)) : ids[g];
      ids[g] = ids[g] == 0 ? unused() : ids[g];
    }
    return ids;
  }

  /**
   * The id of an installed group with the same buckets that no prefix uses, as a plan leaves it
   * behind that a switch refused to complete; 0 if there is none. A plan that is tried again and
   * again would fill the switch with such groups otherwise.
   */
  private int abandoned(SelectGroup wanted) {
    if (free == null) {
      free = new ArrayList<>();
      before.forEachGroup(
          group -> {
            if (usersOf.applyAsInt(group.id()) == 0) {
              free.add(group);
            }
          });
    }
    for (SelectGroup group : free) {
      if (group.hasBucketsOf(wanted) && claimed.add(group.id())) {
        return group.id();
      }
    }
    return 0;
  }

  private boolean mayChange(SelectGroup old, SharedGroup group, SelectGroup wanted) {
    int users = group.usersOf(old.id());
    return users == usersOf.applyAsInt(old.id())
        && (users == group.prefixCount || GroupChange.mayBeJoined(old, wanted))
        && GroupChange.round(old, wanted, group.nearest, group.farthest) != GroupChange.NEVER;
  }

  private int unused() {
    if (unclaimed == null) {
      unclaimed = candidates.get().iterator();
    }
    int id = unclaimed.nextInt();
    while (before.group(id) != null || !claimed.add(id)) {
      id = unclaimed.nextInt();
    }
    return id;
  }
}
