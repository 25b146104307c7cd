package org.evenweave.wcmp.weights;

import java.util.Arrays;

/**
 * The change of routes by an event: the table after it, and the changed groups. Immutable; it also
 * references the table before the event.
 */
public final class RoutesChange {
  /** Receives the switches and destinations whose groups changed. */
  @FunctionalInterface
  public interface Visitor {
    /** The group of {@code s} towards {@code destination} has other members or weights. */
    void changed(int s, int destination);
  }

  private final RoutesTable before;
  private final RoutesTable after;
  private final int[] destinations;
  private final ClassChange[] changes;

  /**
   * @param changes aligned with the table's destinations; null where nothing changed
   */
  RoutesChange(RoutesTable before, RoutesTable after, ClassChange[] changes) {
    this.before = before;
    this.after = after;
    this.destinations = after.destinations();
    this.changes = changes;
  }

  /** The table after the event. */
  public RoutesTable table() {
    return after;
  }

  /** Whether no group changed. */
  public boolean isEmpty() {
    return Arrays.stream(destinations).allMatch(d -> switchesTowards(d).length == 0);
  }

  /**
   * The switches whose group towards a destination has other members or weights than before; in no
   * particular order. A group that lost its last member or got its first is one of them.
   */
  public int[] switchesTowards(int destination) {
    IntList switches = new IntList();
    visit(Arrays.binarySearch(destinations, destination), (s, d) -> switches.add(s));
    return switches.toArray();
  }

  /** Visits every switch and destination whose group changed, by rising destination. */
  public void forEach(Visitor visitor) {
    for (int i = 0; i < destinations.length; i++) {
      visit(i, visitor);
    }
  }

  private void visit(int index, Visitor visitor) {
    ClassChange change = changes[index];
    if (change == null) {
      return;
    }
    int destination = destinations[index];
    for (int i = 0; i < change.common.size(); i++) {
      visitor.changed(change.common.get(i), destination);
    }
    if (change.special.size() > 0) {
      DestinationRoutes routesBefore = before.to(destination);
      DestinationRoutes routesAfter = after.to(destination);
      for (int i = 0; i < change.special.size(); i++) {
        int s = change.special.get(i);
        if (!routesBefore.group(s).equals(routesAfter.group(s))) {
          visitor.changed(s, destination);
        }
      }
    }
  }
}
