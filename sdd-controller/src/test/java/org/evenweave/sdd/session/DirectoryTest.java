package org.evenweave.sdd.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class DirectoryTest {
  @Test
  void eachClassHasAQueueToEachHostBehindThePacketQueue() {
    Directory directory = new Directory(List.of("a", "b", "c"), null, 2);
    assertEquals(10, directory.queues());
    boolean[] taken = new boolean[directory.queues()];
    taken[directory.packetQueue()] = true;
    for (int c = 0; c < directory.circuitClasses(); c++) {
      for (int destination = 0; destination < 3; destination++) {
        int queue = directory.queueTo(destination, c);
        assertEquals(destination, directory.destinationOf(queue));
        assertEquals(c, directory.circuitClassOf(queue));
        assertEquals(false, taken[queue]);
        taken[queue] = true;
      }
    }
    assertEquals(-1, directory.destinationOf(directory.packetQueue()));
    assertEquals(-1, directory.destinationOf(directory.queues()));
    assertEquals(4, new Directory(List.of("a", "b", "c"), null).queues());
  }
}
