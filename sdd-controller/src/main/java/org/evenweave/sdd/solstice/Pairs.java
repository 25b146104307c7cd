package org.evenweave.sdd.solstice;

/**
 * Positions of pairs in a matrix that is stored row by row: {@code source * hosts + destination}.
 *
 * <p>A division costs more than all else that is done with an entry, so it is a multiplication by
 * the reciprocal, with {@value #BITS} bits behind the point. It is rounded up by less than 1 bit;
 * times a position below hosts², the error is below hosts² / 2^{@value #BITS}, and that is less
 * than the 1 / hosts by which a quotient can be short of a whole number, as hosts³ is less than
 * 2^{@value #BITS} where positions fit an {@code int}.
 */
final class Pairs {
  private static final int BITS = 47;

  private final int hosts;
  private final long reciprocal;

  Pairs(int hosts) {
    this.hosts = hosts;
    this.reciprocal = (1L << BITS) / hosts + 1;
  }

  int source(int at) {
    return (int) ((at * reciprocal) >>> BITS);
  }

  int destination(int at) {
    return at - source(at) * hosts;
  }
}
