package org.evenweave.striping.expansion;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.evenweave.striping.plan.StripingParameters;
import org.evenweave.striping.plan.StripingPlan;

/**
 * The links of a two-stage fabric, port by port. Immutable. It need not follow any plan: ports may
 * be unused, and link counts may be as uneven as the past has left them.
 */
public final class Wiring {

  /** Most links, so that a mistyped size fails at once instead of filling the memory. */
  public static final int MAX_LINKS = 1 << 20;

  private static final Comparator<WiredLink> BY_S1_PORT =
      Comparator.comparingInt(WiredLink::s1).thenComparingInt(WiredLink::s1Port);

  private final int s1Count;
  private final int s2Count;
  private final List<WiredLink> links;

  private Wiring(int s1Count, int s2Count, List<WiredLink> links) {
    this.s1Count = s1Count;
    this.s2Count = s2Count;
    this.links = links;
  }

  /**
   * Checks and copies a list of links.
   *
   * @param s1Count number of S1 switches, 1 to {@link StripingParameters#MAX_SWITCHES_PER_STAGE}
   * @param s2Count number of S2 switches, likewise
   * @param links in any order, at most {@link #MAX_LINKS}
   * @throws IllegalArgumentException if a count, switch or port is out of range, or a port holds
   *     two links
   */
  public static Wiring of(int s1Count, int s2Count, Collection<WiredLink> links) {
    requireRange("s1", s1Count, 1, StripingParameters.MAX_SWITCHES_PER_STAGE);
    requireRange("s2", s2Count, 1, StripingParameters.MAX_SWITCHES_PER_STAGE);
    requireRange("number of links", links.size(), 0, MAX_LINKS);
    for (WiredLink link : links) {
      requireRange(link, "s1 switch", link.s1(), 0, s1Count - 1);
      requireRange(link, "s2 switch", link.s2(), 0, s2Count - 1);
      requireRange(link, "s1 port", link.s1Port(), 1, StripingParameters.MAX_PORTS);
      requireRange(link, "s2 port", link.s2Port(), 1, StripingParameters.MAX_PORTS);
    }
    requireOneLinkPerPort(Stage.S1, s1Count, links);
    requireOneLinkPerPort(Stage.S2, s2Count, links);
    List<WiredLink> sorted = new ArrayList<>(links);
    sorted.sort(BY_S1_PORT);
    return new Wiring(s1Count, s2Count, Collections.unmodifiableList(sorted));
  }

  private static void requireRange(String what, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s: must be %d to %d, was %d", what, least, most, value));
    }
  }

  private static void requireRange(WiredLink link, String what, int value, int least, int most) {
    if (value < least || value > most) {
      requireRange(link + ": " + what, value, least, most);
    }
  }

  private static void requireOneLinkPerPort(Stage end, int switches, Collection<WiredLink> links) {
    BitSet[] used = new BitSet[switches];
    for (WiredLink link : links) {
      int at = link.switchAt(end);
      if (used[at] == null) {
        used[at] = new BitSet();
      }
      if (used[at].get(link.portAt(end))) {
        throw new IllegalArgumentException(link + ": " + end.port(link) + " holds two links");
      }
      used[at].set(link.portAt(end));
    }
  }

  /**
   * Wires a plan from scratch: every S1 switch uses its ports 1 to N in the order of the S2
   * switches, every S2 switch its ports 1 to D in the order of the S1 switches.
   *
   * @throws IllegalArgumentException if the plan has more than {@link #MAX_LINKS} links
   */
  public static Wiring of(StripingPlan plan) {
    StripingParameters parameters = plan.parameters();
    requireRange("number of links", parameters.links(), 0, MAX_LINKS);
    List<WiredLink> links = new ArrayList<>(parameters.links());
    int[] s2Port = new int[parameters.s2Count()];
    for (int s1 = 0; s1 < parameters.s1Count(); s1++) {
      int s1Port = 0;
      for (int s2 = 0; s2 < parameters.s2Count(); s2++) {
        for (int link = 0; link < plan.links(s1, s2); link++) {
          links.add(new WiredLink(s1, ++s1Port, s2, ++s2Port[s2]));
        }
      }
    }
    return of(parameters.s1Count(), parameters.s2Count(), links);
  }

  /** Number of S1 switches. */
  public int s1Count() {
    return s1Count;
  }

  /** Number of S2 switches. */
  public int s2Count() {
    return s2Count;
  }

  /** All links by S1 switch and port, ascending. Unmodifiable. */
  public List<WiredLink> links() {
    return links;
  }

  /** Links between each S1 switch (row) and S2 switch (column). */
  public int[][] linkCounts() {
    int[][] counts = new int[s1Count][s2Count];
    for (WiredLink link : links) {
      counts[link.s1()][link.s2()]++;
    }
    return counts;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Wiring)) {
      return false;
    }
    Wiring that = (Wiring) other;
    return s1Count == that.s1Count && s2Count == that.s2Count && links.equals(that.links);
  }

  @Override
  public int hashCode() {
    return links.hashCode();
  }

  @Override
  public String toString() {
    return links.toString();
  }
}
