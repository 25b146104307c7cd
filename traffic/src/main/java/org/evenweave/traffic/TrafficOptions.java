package org.evenweave.traffic;

import java.math.BigInteger;
import org.evenweave.wcmp.reduction.Ratio;

/** Options of {@link TrafficAwareRoutes}, among them how far it trusts the matrix. Immutable. */
public final class TrafficOptions {
  /** Shortest paths, a skew of at most 1.5, a fifth of gravity, and 2 % for staying near WCMP. */
  public static final TrafficOptions DEFAULT = new TrafficOptions(Ratio.of(1, 1), 1.5, 0.2, 0.02);

  private final Ratio maxStretch;
  private final double maxSkew;
  private final double hedgeShare;
  private final double slack;

  private TrafficOptions(Ratio maxStretch, double maxSkew, double hedgeShare, double slack) {
    this.maxStretch = maxStretch;
    this.maxSkew = maxSkew;
    this.hedgeShare = hedgeShare;
    this.slack = slack;
  }

  /**
   * With another limit on detours.
   *
   * @param stretch no path from any switch takes more than {@code floor(stretch * hops)} links,
   *     where a shortest one takes {@code hops}; at least 1, which means shortest paths only
   */
  public TrafficOptions withMaxStretch(Ratio stretch) {
    if (stretch.compareTo(Ratio.of(1, 1)) < 0) {
      throw new IllegalArgumentException("maxStretch is " + stretch + "; it must be at least 1");
    }
    return new TrafficOptions(stretch, maxSkew, hedgeShare, slack);
  }

  /**
   * With another limit on how far splits may go from WCMP's.
   *
   * @param skew no shortest-path link gets more than {@code skew} times the share of any pair's
   *     traffic that WCMP gives it; at least 1 (WCMP itself), and infinite for no limit
   */
  public TrafficOptions withMaxSkew(double skew) {
    if (!(skew >= 1)) {
      throw new IllegalArgumentException("maxSkew is " + skew + "; it must be at least 1");
    }
    return new TrafficOptions(maxStretch, skew, hedgeShare, slack);
  }

  /**
   * With another share of gravity in the matrix that is optimised for.
   *
   * @param share from 0 (trust the matrix) to 1 (ignore it)
   */
  public TrafficOptions withHedgeShare(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("hedgeShare is " + share + "; it must be from 0 to 1");
    }
    return new TrafficOptions(maxStretch, maxSkew, share, slack);
  }

  /**
   * With another price for staying near WCMP.
   *
   * @param relative how much above the least possible the maximum link utilisation may be: 0.02 is
   *     2 %; from 0 to 1
   */
  public TrafficOptions withSlack(double relative) {
    if (!(relative >= 0 && relative <= 1)) {
      throw new IllegalArgumentException("slack is " + relative + "; it must be from 0 to 1");
    }
    return new TrafficOptions(maxStretch, maxSkew, hedgeShare, relative);
  }

  public double maxSkew() {
    return maxSkew;
  }

  public double hedgeShare() {
    return hedgeShare;
  }

  public double slack() {
    return slack;
  }

  /** The most links a path may take where a shortest one takes {@code hops}. */
  int hopLimit(int hops) {
    return maxStretch
        .numerator()
        .multiply(BigInteger.valueOf(hops))
        .divide(maxStretch.denominator())
        .min(BigInteger.valueOf(Integer.MAX_VALUE))
        .intValueExact();
  }
}
