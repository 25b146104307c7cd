package org.evenweave.bench.scale;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** The heap of this process. */
final class Heap {
  static final double BYTES_PER_MB = 1e6;

  private Heap() {}

  /** In use after a collection of garbage, as the collector reports it. */
  static double usedMb() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed() / BYTES_PER_MB;
  }
}
