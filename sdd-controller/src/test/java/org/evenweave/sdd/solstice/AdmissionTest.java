package org.evenweave.sdd.solstice;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.sdd.demand.DemandMatrix;
import org.junit.jupiter.api.Test;

class AdmissionTest {
  @Property
  void leavesNoHostMoreThanAWeekAndCutsOnlyWhereOneIsFullOfLargerOnes(
      @ForAll @IntRange(min = 1, max = 24) int hosts,
      @ForAll @IntRange(max = 100) int filledPercent,
      @ForAll @IntRange(min = 1, max = 3_000_000) int most,
      @ForAll long seed) {
    long[] demand = DemandMatrices.random(hosts, filledPercent, seed);
    long[] admitted = demand.clone();
    admit(new Admission(hosts, 0), admitted, most);
    for (int host = 0; host < hosts; host++) {
      assertTrue(DemandMatrices.rowSum(admitted, hosts, host) <= most);
      assertTrue(DemandMatrices.columnSum(admitted, hosts, host) <= most);
    }
    for (int at = 0; at < demand.length; at++) {
      assertTrue(0 <= admitted[at] && admitted[at] <= demand[at]);
      if (admitted[at] < demand[at]) {
        long[] larger = atLeast(demand, admitted, Math.min(most, demand[at]));
        assertTrue(
            DemandMatrices.rowSum(larger, hosts, at / hosts) == most
                || DemandMatrices.columnSum(larger, hosts, at % hosts) == most);
      }
    }
  }

  /** What was admitted of entries of at least a size. */
  private static long[] atLeast(long[] demand, long[] admitted, long size) {
    long[] larger = admitted.clone();
    for (int at = 0; at < demand.length; at++) {
      if (demand[at] < size) {
        larger[at] = 0;
      }
    }
    return larger;
  }

  @Test
  void keepsTheLargestAndOneInPart() {
    long[] matrix = {5, 3, 3, 0, 0, 0, 0, 0, 0};
    admit(new Admission(3, 0), matrix, 9);
    assertArrayEquals(new long[] {5, 1, 3, 0, 0, 0, 0, 0, 0}, matrix);
  }

  @Test
  void comparesSizesOfManyBitsByTheirHighest() {
    long most = 1L << 40;
    long[] matrix = {most / 2, most / 2 + (1L << 21), 1L << 30, 0, 0, 0, 0, 0, 0};
    admit(new Admission(3, 0), matrix, most);
    assertArrayEquals(
        new long[] {most / 2 - (1L << 21), most / 2 + (1L << 21), 0, 0, 0, 0, 0, 0, 0}, matrix);
  }

  private static void admit(Admission admission, long[] matrix, long most) {
    int[] at = positions(matrix);
    admission.admit(matrix, at, at.length, most);
  }

  private static int[] positions(long[] matrix) {
    return IntStream.range(0, matrix.length).filter(at -> matrix[at] > 0).toArray();
  }

  /** A week in which all that is admitted is served; what was admitted. */
  private static long[] week(Admission admission, long[] bytes, long most) {
    int hosts = (int) Math.sqrt(bytes.length);
    long[] admitted = bytes.clone();
    admit(admission, admitted, most);
    DemandMatrix demand = new DemandMatrix(hosts);
    DemandMatrix remainder = new DemandMatrix(hosts);
    for (int at = 0; at < bytes.length; at++) {
      demand.set(at / hosts, at % hosts, bytes[at]);
      remainder.set(at / hosts, at % hosts, bytes[at] - admitted[at]);
    }
    int[] at = positions(bytes);
    admission.remember(demand, at, at.length, remainder, false);
    return admitted;
  }

  /** Senders to host 0 whose queues stay full: a refused one has its turn. */
  @Property(tries = 200)
  void noSenderStarvesHoweverFullTheOthersStay(
      @ForAll @IntRange(min = 2, max = 8) int senders, @ForAll long seed) {
    java.util.Random random = new java.util.Random(seed);
    int hosts = senders + 1;
    long most = 1_000_000;
    long[] demand = new long[hosts * hosts];
    long smallest = Long.MAX_VALUE;
    for (int sender = 1; sender < hosts; sender++) {
      demand[sender * hosts] = 250_000L + random.nextInt(3_000_000);
      smallest = Math.min(smallest, demand[sender * hosts]);
    }
    // As in the class's comment; sizes beyond a week's count as a week's.
    long larger = (most + smallest - 1) / smallest;
    long bound = 2L * (senders - 1) * (larger + 1);
    Admission admission = new Admission(hosts, 0);
    int[] waited = new int[hosts];
    for (int week = 0; week < 100; week++) {
      long[] admitted = week(admission, demand, most);
      for (int sender = 1; sender < hosts; sender++) {
        waited[sender] = admitted[sender * hosts] > 0 ? 0 : waited[sender] + 1;
        assertTrue(waited[sender] <= bound, waited[sender] + " weeks");
      }
    }
  }

  @Test
  void equalSendersGetEqualShares() {
    Admission admission = new Admission(8, 0);
    long[] bytes = new long[8];
    long[] demand = new long[64];
    for (int sender = 1; sender < 8; sender++) {
      demand[sender * 8] = 5_000;
    }
    for (int week = 0; week < 70; week++) {
      long[] admitted = week(admission, demand, 1_000);
      for (int sender = 1; sender < 8; sender++) {
        bytes[sender] += admitted[sender * 8];
      }
    }
    for (int sender = 1; sender < 8; sender++) {
      // A week's more or less: whose turn it is at the end.
      assertEquals(10_000, (double) bytes[sender], 1_000);
    }
  }

  /** New demand, and what was refused, beside queues that stay full. */
  @Property(tries = 200)
  void whoWaitsIsAdmittedInTheNextWeek(
      @ForAll @IntRange(min = 2, max = 8) int hosts,
      @ForAll @IntRange(min = 10, max = 90) int filledPercent,
      @ForAll long seed) {
    java.util.Random random = new java.util.Random(seed);
    long most = 1_000_000;
    // Eight entries' even shares are longer than 3 nights.
    Admission admission = new Admission(hosts, most / 50);
    boolean[] waits = new boolean[hosts * hosts];
    long[] demand = new long[hosts * hosts];
    for (int week = 0; week < 20; week++) {
      for (int at = 0; at < demand.length; at++) {
        if (random.nextInt(100) < 20) {
          boolean full = random.nextInt(100) < filledPercent;
          waits[at] = week > 0 && full && (waits[at] || demand[at] == 0);
          demand[at] = full ? 1 + random.nextInt(3_000_000) : 0;
        }
      }
      long[] admitted = week(admission, demand, most);
      for (int at = 0; at < demand.length; at++) {
        assertTrue(admitted[at] > 0 || !waits[at], "entry " + at + " in week " + week);
        waits[at] = demand[at] > 0 && admitted[at] == 0;
      }
    }
  }
}
