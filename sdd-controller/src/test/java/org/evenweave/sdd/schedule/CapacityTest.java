package org.evenweave.sdd.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class CapacityTest {
  private static final BigInteger BITS_PER_BYTE_AND_NS_PER_SECOND =
      BigInteger.valueOf(8_000_000_000L);

  @Property
  void bytesAreExactAndRoundedDown(
      @ForAll @LongRange(max = 1_000_000_000_000L) long bps,
      @ForAll @LongRange(max = 9_000_000_000L) long ns) {
    BigInteger exact =
        BigInteger.valueOf(bps)
            .multiply(BigInteger.valueOf(ns))
            .divide(BITS_PER_BYTE_AND_NS_PER_SECOND);
    assertEquals(exact.longValueExact(), Capacity.bytes(bps, ns));
  }

  @Property
  void durationIsTheShortestThatCarriesTheBytes(
      @ForAll @LongRange(min = 1, max = 1_000_000_000_000L) long bps,
      @ForAll @LongRange(max = 1_000_000_000L) long bytes) {
    BigInteger[] exact =
        BigInteger.valueOf(bytes)
            .multiply(BITS_PER_BYTE_AND_NS_PER_SECOND)
            .divideAndRemainder(BigInteger.valueOf(bps));
    long up = exact[1].signum() == 0 ? 0 : 1;
    assertEquals(exact[0].longValueExact() + up, Capacity.durationNs(bps, bytes));
  }
}
