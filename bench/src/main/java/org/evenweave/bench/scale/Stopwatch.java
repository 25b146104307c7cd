package org.evenweave.bench.scale;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Times work of the calling thread by the wall clock and by the processor time that the thread got,
 * in milliseconds. On a machine that others use the second is the fairer base for ratios.
 */
final class Stopwatch {
  private static final double NS_PER_MS = 1e6;

  final Samples wallMs = new Samples();
  final Samples cpuMs = new Samples();

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

  void time(Runnable work) {
    long wallNs = System.nanoTime();
    long cpuNs = threads.getCurrentThreadCpuTime();
    work.run();
    cpuMs.add((threads.getCurrentThreadCpuTime() - cpuNs) / NS_PER_MS);
    wallMs.add((System.nanoTime() - wallNs) / NS_PER_MS);
  }
}
