package org.evenweave.wcmp.weights;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Colours the switches of a directed graph so that those of one colour are indistinguishable to a
 * flow: each has links of the same capacities to and from switches of the same colours.
 *
 * <p><b>Why.</b> Take any flow that treats the colours' supplies alike, and give every link from
 * colour A to colour B the mean utilisation of all of them. Flow is still conserved at every
 * switch, because what a switch of A sends to B, and gets from it, is now the same for all of A;
 * and no flow of uneven utilisations between A and B is lexicographically least, since taking the
 * mean lowers the highest of them. So the flow of {@link BalancedFlow} has one utilisation for each
 * pair of colours, and can be computed on the graph of colours, where a fat-tree of any size has
 * six (Grohe et al., "Dimension reduction via colour refinement", ESA 2014).
 *
 * <p><b>Algorithm.</b> Colour refinement: every switch gets a new colour from its own and the
 * sorted ones of its neighbours, until their number no longer rises. O(links x log degree) a round;
 * as many rounds as it takes for a difference to spread, a handful in fabrics.
 */
final class SwitchSymmetry {
  private final int[][] neighbour;
  private final int[][] kindOfLink;
  private int[] colour;
  private int colours;

  /**
   * @param colour the switches' colours at first, not negative
   * @param neighbour by switch, those at the other ends of its links, in and out
   * @param kindOfLink aligned with {@code neighbour}: capacity and direction, as a number
   */
  SwitchSymmetry(int[] colour, int[][] neighbour, int[][] kindOfLink) {
    this.neighbour = neighbour;
    this.kindOfLink = kindOfLink;
    this.colour = colour;
    int before;
    do {
      before = colours;
      refine();
    } while (colours > before);
  }

  /** How many colours there are: {@code 0 ..< colours()}. */
  int colours() {
    return colours;
  }

  /** By switch. */
  int[] colour() {
    return colour;
  }

  private void refine() {
    Map<Signature, Integer> colourOf = new HashMap<>();
    int[] refined = new int[colour.length];
    for (int n = 0; n < colour.length; n++) {
      long[] parts = new long[neighbour[n].length + 1];
      for (int i = 0; i < neighbour[n].length; i++) {
        parts[i] = (long) kindOfLink[n][i] << 32 | colour[neighbour[n][i]];
      }
      Arrays.sort(parts, 0, parts.length - 1);
      parts[parts.length - 1] = colour[n];
      Integer known = colourOf.putIfAbsent(new Signature(parts), colourOf.size());
      refined[n] = known == null ? colourOf.size() - 1 : known;
    }
    colour = refined;
    colours = colourOf.size();
  }

  private static final class Signature {
    private final long[] parts;
    private final int hash;

    Signature(long[] parts) {
      this.parts = parts;
      this.hash = Arrays.hashCode(parts);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Signature
          && ((Signature) other).hash == hash
          && Arrays.equals(((Signature) other).parts, parts);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }
}
