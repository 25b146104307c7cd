package org.evenweave.app.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.evenweave.engine.nib.Host;
import org.junit.jupiter.api.Test;
import org.onosproject.store.service.StorageException;

class ClusterMemoryTest {
  private static final Host ONE = new Host(0x0a00_0002, 0x0200_0000_0001L, "s1-0", 5);
  private static final Host TWO = new Host(0x0a00_0102, 0xffff_0000_0001L, "s1-1", 6);
  private static final Host ONE_MOVED = new Host(0x0a00_0002, 0x0200_0000_0001L, "s1-0", 9);

  private final FakeStorage storage = new FakeStorage();

  @Test
  void theFirstEngineOfAClusterBeginsAtTheBeginning() {
    ClusterMemory first = new ClusterMemory(storage);
    assertEquals(0, first.lastNumber());
    assertEquals(List.of(), List.copyOf(first.hosts()));
  }

  @Test
  void hostsAreLeftToTheNextEngineAsTheyWereLast() {
    ClusterMemory first = new ClusterMemory(storage);
    first.keep(List.of(ONE, TWO));
    assertEquals(Set.of(ONE, TWO), Set.copyOf(new ClusterMemory(storage).hosts()));
    first.keep(List.of(ONE_MOVED));
    assertEquals(Set.of(ONE_MOVED), Set.copyOf(new ClusterMemory(storage).hosts()));
  }

  @Test
  void anEngineThatGoesOnForgetsHostsOfTheOneBefore() {
    new ClusterMemory(storage).keep(List.of(ONE, TWO));
    new ClusterMemory(storage).keep(List.of(TWO));
    assertEquals(Set.of(TWO), Set.copyOf(new ClusterMemory(storage).hosts()));
  }

  @Test
  void noEngineBeginsWithANumberThatAnotherHasReached() {
    long highest = 0;
    for (long count : new long[] {1, 79, 4_999, 5_000, 9_999, 10_000, 10_001, 14_999, 123_456}) {
      ClusterMemory memory = new ClusterMemory(storage);
      assertTrue(memory.lastNumber() >= highest, memory.lastNumber() + " after " + highest);
      highest = memory.lastNumber() + count;
      for (long number = memory.lastNumber() + 1; number <= highest; number++) {
        memory.reached(number);
      }
    }
  }

  @Test
  void whatGoesWithTheApplicationIsForgotten() {
    new ClusterMemory(storage).keep(List.of(ONE, TWO));
    ClusterMemory.forgetHosts(storage);
    assertEquals(List.of(), List.copyOf(new ClusterMemory(storage).hosts()));
  }

  @Test
  void aStoreThatDoesNotAnswerIsSaidAtTheStartAndHoldsNothingUpLater() {
    ClusterMemory memory = new ClusterMemory(storage);
    storage.answers = false;
    memory.keep(List.of(ONE));
    memory.reached(ClusterMemory.BLOCK);
    assertThrows(StorageException.class, () -> new ClusterMemory(storage));
  }
}
