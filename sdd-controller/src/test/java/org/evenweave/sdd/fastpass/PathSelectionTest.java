package org.evenweave.sdd.fastpass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.sdd.schedule.Schedule;
import org.junit.jupiter.api.Test;

class PathSelectionTest {
  private static int[] randomMatching(int hosts, int sendingPercent, Random random) {
    List<Integer> destinations = new ArrayList<>();
    for (int host = 0; host < hosts; host++) {
      destinations.add(host);
    }
    Collections.shuffle(destinations, random);
    return destinations.stream()
        .mapToInt(d -> random.nextInt(100) < sendingPercent ? d : Schedule.IDLE)
        .toArray();
  }

  @Property(tries = 500)
  void usesAsFewPathsAsTheDegreeAndEachOnceOrAsSeldomAsCanBe(
      @ForAll @IntRange(min = 1, max = 12) int racks,
      @ForAll @IntRange(min = 1, max = 20) int hostsPerRack,
      @ForAll @IntRange(min = 1, max = 24) int paths,
      @ForAll @IntRange(max = 100) int sendingPercent,
      @ForAll long seed) {
    Random random = new Random(seed);
    int hosts = racks * hostsPerRack;
    PathSelection selection = new PathSelection(hosts, hostsPerRack, paths);
    int[] pathOf = new int[hosts];
    for (int timeslot = 0; timeslot < 4; timeslot++) {
      int[] destinationOf = randomMatching(hosts, sendingPercent, random);
      int used = selection.select(destinationOf, pathOf);
      int[][] up = new int[racks][paths];
      int[][] down = new int[racks][paths];
      for (int source = 0; source < hosts; source++) {
        int to = destinationOf[source];
        if (to == Schedule.IDLE || to / hostsPerRack == source / hostsPerRack) {
          assertEquals(PathSelection.NO_PATH, pathOf[source]);
        } else {
          assertTrue(0 <= pathOf[source] && pathOf[source] < used);
          up[source / hostsPerRack][pathOf[source]]++;
          down[to / hostsPerRack][pathOf[source]]++;
        }
      }
      int degree = 0;
      int busiest = 0;
      for (int rack = 0; rack < racks; rack++) {
        for (int[] of : new int[][] {up[rack], down[rack]}) {
          degree = Math.max(degree, Arrays.stream(of).sum());
          busiest = Math.max(busiest, Arrays.stream(of).max().orElse(0));
        }
      }
      assertEquals(Math.min(degree, paths), used);
      assertEquals((degree + paths - 1) / paths, busiest);
    }
  }

  /** Whatever others use, no link carries more circuits than it would without them. */
  @Property(tries = 300)
  void otherTrafficMakesNoLinkCarryMoreCircuits(
      @ForAll @IntRange(min = 1, max = 8) int racks,
      @ForAll @IntRange(min = 1, max = 12) int hostsPerRack,
      @ForAll @IntRange(min = 1, max = 12) int paths,
      @ForAll long seed) {
    Random random = new Random(seed);
    int hosts = racks * hostsPerRack;
    PathSelection selection = new PathSelection(hosts, hostsPerRack, paths);
    int[] around = new int[hosts];
    int[] destinationOf = randomMatching(hosts, 80, random);
    double[] used = random.doubles((long) racks * racks * paths).toArray();
    int degree =
        selection.select(
            destinationOf, around, (from, to, path) -> used[(from * racks + to) * paths + path]);
    int[][] up = new int[racks][paths];
    int[][] down = new int[racks][paths];
    int[] sent = new int[racks];
    int[] received = new int[racks];
    for (int source = 0; source < hosts; source++) {
      if (around[source] != PathSelection.NO_PATH) {
        int from = source / hostsPerRack;
        int to = destinationOf[source] / hostsPerRack;
        up[from][around[source]]++;
        down[to][around[source]]++;
        sent[from]++;
        received[to]++;
      }
    }
    int most =
        Math.max(Arrays.stream(sent).max().orElse(0), Arrays.stream(received).max().orElse(0));
    assertEquals(Math.min(most, paths), degree);
    for (int[][] links : new int[][][] {up, down}) {
      for (int[] of : links) {
        assertTrue(Arrays.stream(of).max().orElse(0) <= (most + paths - 1) / paths);
      }
    }
  }

  @Test
  void aCircuitTakesThePathThatOthersUseLeast() {
    PathSelection selection = new PathSelection(4, 2, 3);
    int[] destinationOf = {2, Schedule.IDLE, Schedule.IDLE, Schedule.IDLE};
    int[] pathOf = new int[4];
    double[] used = {0.5, 0.25, 0.75};
    selection.select(destinationOf, pathOf, (from, to, path) -> used[path]);
    assertEquals(1, pathOf[0]);
    // Two of the same racks cannot have the same one: the second takes the next.
    destinationOf[1] = 3;
    selection.select(destinationOf, pathOf, (from, to, path) -> used[path]);
    assertEquals(1, pathOf[0]);
    assertEquals(0, pathOf[1]);
    // Nothing known, nothing different.
    selection.select(destinationOf, pathOf, null);
    assertEquals(0, pathOf[0]);
    assertEquals(1, pathOf[1]);
  }

  @Test
  void exchangesColoursWhereGreedyWouldNeedAnother() {
    // Racks of 2: 0 -> 1 twice over one pair each to 1 and 2, so that first-fit colours collide.
    // Sources 0,1 | 2,3 | 4,5; destinations: 0->2, 1->4, 2->5, 3->0, 4->1, 5->3.
    int[] destinationOf = {2, 4, 5, 0, 1, 3};
    int[] pathOf = new int[6];
    assertEquals(2, new PathSelection(6, 2, 2).select(destinationOf, pathOf));
    for (int rack = 0; rack < 3; rack++) {
      assertTrue(pathOf[2 * rack] != pathOf[2 * rack + 1]);
    }
  }

  @Test
  void refusesWhatIsNoFabric() {
    assertThrows(IllegalArgumentException.class, () -> new PathSelection(0, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> new PathSelection(8, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> new PathSelection(8, 4, 0));
    assertThrows(IllegalArgumentException.class, () -> new PathSelection(8, 4, 65));
  }
}
