package org.evenweave.wcmp.weights;

import java.util.Objects;

/**
 * The switches whose groups towards the destinations of a class differ between two states of its
 * routes, or may.
 */
final class ClassChange {
  final EquivalentDestinations before;
  final EquivalentDestinations after;

  /** Their groups differ, towards every destination alike. */
  final IntList common = new IntList();

  /** At the destinations and next to them: to be compared for each destination. */
  final IntList special = new IntList();

  private ClassChange(EquivalentDestinations before, EquivalentDestinations after) {
    this.before = before;
    this.after = after;
  }

  /**
   * @param suspects all switches whose groups may differ
   */
  static ClassChange among(
      IntList suspects, EquivalentDestinations before, EquivalentDestinations after) {
    ClassChange change = new ClassChange(before, after);
    for (int i = 0; i < suspects.size(); i++) {
      change.compare(suspects.get(i));
    }
    return change;
  }

  /** Compares every switch. */
  static ClassChange between(EquivalentDestinations before, EquivalentDestinations after) {
    ClassChange change = new ClassChange(before, after);
    for (int s = 0; s < after.hops.length; s++) {
      change.compare(s);
    }
    return change;
  }

  private void compare(int s) {
    if (!before.isCommon(s) || !after.isCommon(s)) {
      special.add(s);
    } else if (!Objects.equals(before.groups.get(s), after.groups.get(s))) {
      common.add(s);
    }
  }

  boolean isEmpty() {
    return common.size() == 0 && special.size() == 0;
  }
}
