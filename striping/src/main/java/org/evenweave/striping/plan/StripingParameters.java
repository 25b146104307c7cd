package org.evenweave.striping.plan;

import java.util.Locale;
import java.util.Objects;

/**
 * The size of a two-stage fabric whose links all have the same capacity: L S1 switches with N
 * uplinks each below K S2 switches with D downlinks each, L·N = K·D (Tewari 2015, section 3.4.1).
 *
 * <p>An even striping puts p = ⌊N/K⌋ or p + 1 links between any S1 and any S2 switch (equation
 * 3.5). How many of each is then fixed. An S1 switch has π<sub>p+1</sub> = N − K·p S2 switches with
 * p + 1 links (equation 3.6); an S2 switch has Ω<sub>p+1</sub> = D − L·p S1 switches with p + 1
 * links (Algorithm 5). Because N/K = D/L, ⌊D/L⌋ is p too, and L·π<sub>p+1</sub> =
 * K·Ω<sub>p+1</sub>.
 */
public final class StripingParameters {

  /**
   * Most switches in a stage. A matrix of this size both ways takes 64 MB; fabrics of 100,000
   * servers have stages of some thousands.
   */
  public static final int MAX_SWITCHES_PER_STAGE = 4096;

  /**
   * Most ports of a switch that face the other stage. Far above any switch, and keeps link counts
   * within an int.
   */
  public static final int MAX_PORTS = 65535;

  private final int s1Count;
  private final int s2Count;
  private final int uplinks;
  private final int downlinks;

  private StripingParameters(int s1Count, int s2Count, int uplinks, int downlinks) {
    this.s1Count = s1Count;
    this.s2Count = s2Count;
    this.uplinks = uplinks;
    this.downlinks = downlinks;
  }

  /**
   * Checks and makes the parameters.
   *
   * @param s1 number of S1 switches (L), 1 to {@link #MAX_SWITCHES_PER_STAGE}
   * @param s2 number of S2 switches (K), 1 to {@link #MAX_SWITCHES_PER_STAGE}
   * @param uplinks uplinks of each S1 switch (N), 1 to {@link #MAX_PORTS}
   * @param downlinks downlinks of each S2 switch (D), 1 to {@link #MAX_PORTS}
   * @throws IllegalArgumentException if one is out of range or s1·uplinks differs from s2·downlinks
   */
  public static StripingParameters of(int s1, int s2, int uplinks, int downlinks) {
    requireRange("s1", s1, MAX_SWITCHES_PER_STAGE);
    requireRange("s2", s2, MAX_SWITCHES_PER_STAGE);
    requireRange("uplinks", uplinks, MAX_PORTS);
    requireRange("downlinks", downlinks, MAX_PORTS);
    int upper = s1 * uplinks;
    int lower = s2 * downlinks;
    if (upper != lower) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s: s1 x uplinks must equal s2 x downlinks, but %d x %d = %d and %d x %d = %d; %s",
              upper % s2 == 0 ? "downlinks" : "uplinks",
              s1,
              uplinks,
              upper,
              s2,
              downlinks,
              lower,
              advice(upper, s1, s2)));
    }
    return new StripingParameters(s1, s2, uplinks, downlinks);
  }

  private static String advice(int links, int s1, int s2) {
    return links % s2 == 0
        ? "use downlinks " + links / s2
        : "with these switches uplinks must be a multiple of " + s2 / gcd(s1, s2);
  }

  private static int gcd(int a, int b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  private static void requireRange(String field, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s: must be 1 to %d, was %d", field, most, value));
    }
  }

  /** Number of S1 switches, L. */
  public int s1Count() {
    return s1Count;
  }

  /** Number of S2 switches, K. */
  public int s2Count() {
    return s2Count;
  }

  /** Uplinks of each S1 switch, N. */
  public int uplinks() {
    return uplinks;
  }

  /** Downlinks of each S2 switch, D. */
  public int downlinks() {
    return downlinks;
  }

  /** Fewest links between an S1 and an S2 switch: p = ⌊N/K⌋. */
  public int base() {
    return uplinks / s2Count;
  }

  /** S2 switches that an S1 switch reaches with p + 1 links: π<sub>p+1</sub>, 0 to K − 1. */
  public int extraPerS1() {
    return uplinks % s2Count;
  }

  /** S2 switches that an S1 switch reaches with p links: π<sub>p</sub>, 1 to K. */
  public int plainPerS1() {
    return s2Count - extraPerS1();
  }

  /** S1 switches that an S2 switch reaches with p + 1 links: Ω<sub>p+1</sub>, 0 to L − 1. */
  public int extraPerS2() {
    return downlinks % s1Count;
  }

  /** S1 switches that an S2 switch reaches with p links: Ω<sub>p</sub>, 1 to L. */
  public int plainPerS2() {
    return s1Count - extraPerS2();
  }

  /** Number of links in the fabric, L·N = K·D. */
  public int links() {
    return s1Count * uplinks;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof StripingParameters)) {
      return false;
    }
    StripingParameters that = (StripingParameters) other;
    return s1Count == that.s1Count
        && s2Count == that.s2Count
        && uplinks == that.uplinks
        && downlinks == that.downlinks;
  }

  @Override
  public int hashCode() {
    return Objects.hash(s1Count, s2Count, uplinks, downlinks);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "s1=%d s2=%d uplinks=%d downlinks=%d", s1Count, s2Count, uplinks, downlinks);
  }
}
