package org.evenweave.wcmp.weights;

import java.math.BigInteger;
import org.evenweave.wcmp.reduction.Ratio;

/** The most even flow over some links, as one of the ways to find it knows it. */
interface EvenFlow {
  /** Flow over capacity of a link, in the unit of supply over that of capacity. */
  Ratio utilisation(int link);

  /** The highest of all links, 0 if nothing flows. */
  Ratio highestUtilisation();

  /** Whether anything flows on a link. */
  boolean isUsed(int link);

  /** Whether what flows on a link does so against its direction. */
  boolean isReversed(int link);

  /** What some links that are used carry, as integers of the same ratios. */
  BigInteger[] carried(int[] links);
}
