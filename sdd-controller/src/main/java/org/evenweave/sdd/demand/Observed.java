package org.evenweave.sdd.demand;

import java.util.List;

/**
 * The input of a scheduler besides the bytes of a pair: the classes of these bytes, and their
 * properties. Class 0 holds flows in no other class: priority 0, weight 1, not a coflow. Not
 * thread-safe.
 */
public final class Observed {
  /** The most classes, with class 0. */
  public static final int MAX_CLASSES = 8;

  /** The highest priority. */
  public static final int MAX_PRIORITY = 7;

  private final List<DemandClass> classes;
  private final DemandMatrix[] ofClass;
  private final DemandMatrix demand;
  private final int[] servingOrder;

  /**
   * Without demand.
   *
   * @param classes those from class 1 on, at most 7
   */
  public Observed(int hosts, List<DemandClass> classes) {
    if (classes.size() >= MAX_CLASSES) {
      throw new IllegalArgumentException("classes: at most " + (MAX_CLASSES - 1));
    }
    this.classes = List.copyOf(classes);
    this.ofClass = new DemandMatrix[classes.size() + 1];
    for (int c = 0; c < ofClass.length; c++) {
      ofClass[c] = new DemandMatrix(hosts);
    }
    // One matrix is enough where there is one class.
    this.demand = ofClass.length == 1 ? ofClass[0] : new DemandMatrix(hosts);
    this.servingOrder = byPriority();
  }

  private int[] byPriority() {
    int[] order = new int[ofClass.length];
    int count = 0;
    for (int priority = MAX_PRIORITY; priority >= 0; priority--) {
      for (int i = 1; i <= ofClass.length; i++) {
        int c = i % ofClass.length;
        if (priority(c) == priority) {
          order[count++] = c;
        }
      }
    }
    return order;
  }

  /** Another with the same classes, without demand. */
  public Observed withoutDemand() {
    return new Observed(demand.hosts(), classes);
  }

  /** How many there are, class 0 included. */
  public int classes() {
    return ofClass.length;
  }

  /** What waits of a class: may be changed, {@link #sum} makes that count. */
  public DemandMatrix of(int c) {
    return ofClass[c];
  }

  /**
   * A class as hosts serve them, from place 0 on; of equal ones, which take turns, class 0 last.
   */
  public int inServingOrder(int place) {
    return servingOrder[place];
  }

  /** What waits of all classes together, as summed up last. */
  public DemandMatrix demand() {
    return demand;
  }

  /** Sums up. */
  public void sum() {
    if (demand == ofClass[0]) {
      return;
    }
    demand.copyFrom(ofClass[0]);
    int hosts = demand.hosts();
    for (int c = 1; c < ofClass.length; c++) {
      for (int source = 0; source < hosts; source++) {
        for (int to = 0; to < hosts && ofClass[c].fromSource(source) > 0; to++) {
          demand.add(source, to, ofClass[c].get(source, to));
        }
      }
    }
  }

  /** Takes over what another has, of the same classes. */
  public void copyFrom(Observed other) {
    for (int c = 0; c < ofClass.length; c++) {
      ofClass[c].copyFrom(other.ofClass[c]);
    }
    sum();
  }

  /** 0 to {@value #MAX_PRIORITY}; the highest comes first. */
  public int priority(int c) {
    return c == 0 ? 0 : classes.get(c - 1).priority();
  }

  /** Whether the class is done only when all of it is. */
  public boolean isCoflow(int c) {
    return c > 0 && classes.get(c - 1).isCoflow();
  }

  /** The class's share of what it wants together with others, relative to theirs. */
  public int weight(int c) {
    return c == 0 ? 1 : classes.get(c - 1).weight();
  }
}
