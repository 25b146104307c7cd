package org.evenweave.sdd.demand;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class DemandMatrixTest {
  private final DemandMatrix demand = new DemandMatrix(3);

  @Test
  void sumsRowsColumnsAndAll() {
    demand.set(0, 1, 10);
    demand.set(0, 2, 20);
    demand.add(2, 1, 5);
    demand.add(2, 1, 2);
    assertEquals(30, demand.fromSource(0));
    assertEquals(17, demand.toDestination(1));
    assertEquals(37, demand.total());
    long[] entries = new long[9];
    demand.copyTo(entries);
    assertEquals(7, entries[2 * 3 + 1]);
  }

  /** Against a plain array of entries; more hosts than bits of a word, and exactly as many. */
  @Property(tries = 200)
  void knowsItsEntriesAndSumsAfterAnyChanges(
      @ForAll @IntRange(min = 1, max = 130) int hosts, @ForAll long seed) {
    Random random = new Random(seed);
    DemandMatrix matrix = new DemandMatrix(hosts);
    DemandMatrix other = new DemandMatrix(hosts);
    long[] plain = new long[hosts * hosts];
    long[] plainOther = new long[hosts * hosts];
    for (int step = 0; step < 300; step++) {
      int at = random.nextInt(hosts * hosts);
      long bytes = random.nextInt(3) == 0 ? 0 : random.nextInt(1_000);
      switch (random.nextInt(step % 50 == 49 ? 4 : 2)) {
        case 0:
          matrix.set(at / hosts, at % hosts, bytes);
          plain[at] = bytes;
          break;
        case 1:
          other.set(at / hosts, at % hosts, bytes);
          plainOther[at] = bytes;
          plain[at] -= matrix.take(at / hosts, at % hosts, bytes);
          break;
        case 2:
          matrix.copyFrom(other);
          plain = plainOther.clone();
          break;
        default:
          matrix.clear();
          plain = new long[hosts * hosts];
      }
    }
    assertIs(plain, matrix);
    assertIs(plainOther, other);
  }

  private static void assertIs(long[] plain, DemandMatrix matrix) {
    int hosts = matrix.hosts();
    long[] entries = new long[plain.length];
    matrix.copyTo(entries);
    assertArrayEquals(plain, entries);
    int[] positions = new int[plain.length];
    int count = matrix.positions(positions);
    assertArrayEquals(
        IntStream.range(0, plain.length).filter(at -> plain[at] > 0).toArray(),
        Arrays.copyOf(positions, count));
    for (int host = 0; host < hosts; host++) {
      long row = 0;
      long column = 0;
      for (int peer = 0; peer < hosts; peer++) {
        row += plain[host * hosts + peer];
        column += plain[peer * hosts + host];
      }
      assertEquals(row, matrix.fromSource(host));
      assertEquals(column, matrix.toDestination(host));
    }
    assertEquals(Arrays.stream(plain).sum(), matrix.total());
  }

  @Test
  void givesAtMostWhatThereIs() {
    demand.set(1, 2, 10);
    assertEquals(4, demand.take(1, 2, 4));
    assertEquals(6, demand.take(1, 2, 100));
    assertEquals(0, demand.get(1, 2));
  }

  @Test
  void refusesWhatIsNoDemandAndStaysAsItWas() {
    demand.set(1, 2, 10);
    assertThrows(IllegalArgumentException.class, () -> demand.set(1, 2, -1));
    assertThrows(IllegalArgumentException.class, () -> demand.add(1, 2, -11));
    assertThrows(IndexOutOfBoundsException.class, () -> demand.set(0, 3, 1));
    assertThrows(IndexOutOfBoundsException.class, () -> demand.get(-1, 2));
    assertThrows(IllegalArgumentException.class, () -> demand.copyFrom(new DemandMatrix(2)));
    assertThrows(IllegalArgumentException.class, () -> new DemandMatrix(0));
    assertEquals(10, demand.total());
  }
}
