package org.evenweave.striping.expansion;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.evenweave.striping.plan.StripingParameters;
import org.evenweave.striping.plan.StripingPlan;

/**
 * The cables of a two-stage fabric, port by port. Immutable. It need not follow any plan: ports may
 * be unused, and link counts may be as uneven as the past has left them.
 */
public final class Wiring {

  /** Most cables, so that a mistyped size fails at once instead of filling the memory. */
  public static final int MAX_CABLES = 1 << 20;

  private static final Comparator<Cable> BY_S1_PORT =
      Comparator.comparingInt(Cable::s1).thenComparingInt(Cable::s1Port);

  private final int s1Count;
  private final int s2Count;
  private final List<Cable> cables;

  private Wiring(int s1Count, int s2Count, List<Cable> cables) {
    this.s1Count = s1Count;
    this.s2Count = s2Count;
    this.cables = cables;
  }

  /**
   * Checks and copies a list of cables.
   *
   * @param s1Count number of S1 switches, 1 to {@link StripingParameters#MAX_SWITCHES_PER_STAGE}
   * @param s2Count number of S2 switches, likewise
   * @param cables in any order, at most {@link #MAX_CABLES}
   * @throws IllegalArgumentException if a count, switch or port is out of range, or a port holds
   *     two cables
   */
  public static Wiring of(int s1Count, int s2Count, Collection<Cable> cables) {
    requireRange("s1", s1Count, 1, StripingParameters.MAX_SWITCHES_PER_STAGE);
    requireRange("s2", s2Count, 1, StripingParameters.MAX_SWITCHES_PER_STAGE);
    requireRange("number of cables", cables.size(), 0, MAX_CABLES);
    for (Cable cable : cables) {
      requireRange(cable, "s1 switch", cable.s1(), 0, s1Count - 1);
      requireRange(cable, "s2 switch", cable.s2(), 0, s2Count - 1);
      requireRange(cable, "s1 port", cable.s1Port(), 1, StripingParameters.MAX_PORTS);
      requireRange(cable, "s2 port", cable.s2Port(), 1, StripingParameters.MAX_PORTS);
    }
    requireOneCablePerPort(Stage.S1, s1Count, cables);
    requireOneCablePerPort(Stage.S2, s2Count, cables);
    List<Cable> sorted = new ArrayList<>(cables);
    sorted.sort(BY_S1_PORT);
    return new Wiring(s1Count, s2Count, Collections.unmodifiableList(sorted));
  }

  private static void requireRange(String what, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          String.format("%s: must be %d to %d, was %d", what, least, most, value));
    }
  }

  private static void requireRange(Cable cable, String what, int value, int least, int most) {
    if (value < least || value > most) {
      requireRange(cable + ": " + what, value, least, most);
    }
  }

  private static void requireOneCablePerPort(Stage end, int switches, Collection<Cable> cables) {
    BitSet[] used = new BitSet[switches];
    for (Cable cable : cables) {
      int at = cable.switchAt(end);
      if (used[at] == null) {
        used[at] = new BitSet();
      }
      if (used[at].get(cable.portAt(end))) {
        throw new IllegalArgumentException(cable + ": " + end.port(cable) + " holds two cables");
      }
      used[at].set(cable.portAt(end));
    }
  }

  /**
   * Wires a plan from scratch: every S1 switch uses its ports 1 to N in the order of the S2
   * switches, every S2 switch its ports 1 to D in the order of the S1 switches.
   *
   * @throws IllegalArgumentException if the plan has more than {@link #MAX_CABLES} links
   */
  public static Wiring of(StripingPlan plan) {
    StripingParameters parameters = plan.parameters();
    requireRange("number of cables", parameters.links(), 0, MAX_CABLES);
    List<Cable> cables = new ArrayList<>(parameters.links());
    int[] s2Port = new int[parameters.s2Count()];
    for (int s1 = 0; s1 < parameters.s1Count(); s1++) {
      int s1Port = 0;
      for (int s2 = 0; s2 < parameters.s2Count(); s2++) {
        for (int link = 0; link < plan.links(s1, s2); link++) {
          cables.add(new Cable(s1, ++s1Port, s2, ++s2Port[s2]));
        }
      }
    }
    return of(parameters.s1Count(), parameters.s2Count(), cables);
  }

  /** Number of S1 switches. */
  public int s1Count() {
    return s1Count;
  }

  /** Number of S2 switches. */
  public int s2Count() {
    return s2Count;
  }

  /** All cables by S1 switch and port, ascending. Unmodifiable. */
  public List<Cable> cables() {
    return cables;
  }

  /** Links between each S1 switch (row) and S2 switch (column). */
  public int[][] linkCounts() {
    int[][] counts = new int[s1Count][s2Count];
    for (Cable cable : cables) {
      counts[cable.s1()][cable.s2()]++;
    }
    return counts;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Wiring)) {
      return false;
    }
    Wiring that = (Wiring) other;
    return s1Count == that.s1Count && s2Count == that.s2Count && cables.equals(that.cables);
  }

  @Override
  public int hashCode() {
    return cables.hashCode();
  }

  @Override
  public String toString() {
    return cables.toString();
  }
}
