package org.evenweave.engine.port;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** The groups of one switch by rising id. Immutable; a switch has few, so a change copies them. */
final class GroupTable {
  static final GroupTable EMPTY = new GroupTable(new int[0], new SelectGroup[0]);

  private final int[] ids;
  private final SelectGroup[] groups;

  private GroupTable(int[] ids, SelectGroup[] groups) {
    this.ids = ids;
    this.groups = groups;
  }

  static GroupTable of(Collection<SelectGroup> groups) {
    SelectGroup[] sorted = groups.toArray(new SelectGroup[0]);
    Arrays.sort(sorted, (a, b) -> Integer.compare(a.id(), b.id()));
    return new GroupTable(Arrays.stream(sorted).mapToInt(SelectGroup::id).toArray(), sorted);
  }

  int size() {
    return ids.length;
  }

  /** The group of this id, or null. */
  SelectGroup get(int id) {
    int found = Arrays.binarySearch(ids, id);
    return found < 0 ? null : groups[found];
  }

  SelectGroup at(int i) {
    return groups[i];
  }

  GroupTable with(SelectGroup group) {
    int found = Arrays.binarySearch(ids, group.id());
    if (found >= 0) {
      SelectGroup[] changed = groups.clone();
      changed[found] = group;
      return new GroupTable(ids, changed);
    }
    int at = -found - 1;
    SelectGroup[] more = Arrays.copyOf(groups, groups.length + 1);
    System.arraycopy(groups, at, more, at + 1, groups.length - at);
    more[at] = group;
    return new GroupTable(SortedInts.inserted(ids, at, group.id()), more);
  }

  GroupTable without(int id) {
    int found = Arrays.binarySearch(ids, id);
    if (found < 0) {
      return this;
    }
    SelectGroup[] fewer = Arrays.copyOf(groups, groups.length - 1);
    System.arraycopy(groups, found + 1, fewer, found, fewer.length - found);
    return new GroupTable(SortedInts.removed(ids, found), fewer);
  }

  /** Visits every id with different groups: the group before and after, null if none. */
  static void difference(
      GroupTable before, GroupTable after, BiConsumer<SelectGroup, SelectGroup> visitor) {
    if (before == after) {
      return;
    }
    for (SelectGroup group : after.groups) {
      SelectGroup old = before.get(group.id());
      if (!group.equals(old)) {
        visitor.accept(old, group);
      }
    }
    for (SelectGroup group : before.groups) {
      if (after.get(group.id()) == null) {
        visitor.accept(group, null);
      }
    }
  }

  Map<Integer, SelectGroup> asMap() {
    Map<Integer, SelectGroup> map = new LinkedHashMap<>();
    for (SelectGroup group : groups) {
      map.put(group.id(), group);
    }
    return map;
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof GroupTable && Arrays.equals(((GroupTable) other).groups, groups));
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(groups);
  }
}
