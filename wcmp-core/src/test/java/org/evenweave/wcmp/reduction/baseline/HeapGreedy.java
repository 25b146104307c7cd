package org.evenweave.wcmp.reduction.baseline;

import java.util.Arrays;
import org.evenweave.wcmp.reduction.Ratio;

/**
 * The greedy of Algorithms 1 and 2 with a binary heap in place of the scan over all ports: O(n log
 * P) for an answer of n entries instead of O(P n). A baseline for benchmarks; exact, for groups of
 * up to 2^20 entries.
 */
public final class HeapGreedy {
  private final int[] ideal;
  private final int[] reduced;

  /** Ports, with the least (Y[i]+1)/X[i] on top. */
  private final int[] heap;

  private HeapGreedy(int[] ideal) {
    this.ideal = ideal;
    this.reduced = new int[ideal.length];
    this.heap = new int[ideal.length];
    Arrays.fill(reduced, 1);
    Arrays.setAll(heap, i -> i);
    for (int i = heap.length / 2 - 1; i >= 0; i--) {
      siftDown(i);
    }
  }

  /** The smallest group within a limit, as Algorithm 1 yields it. */
  public static int[] reduce(int[] ideal, Ratio limit) {
    long numerator = limit.numerator().longValueExact();
    long denominator = limit.denominator().longValueExact();
    long idealSize = PaperReduction.size(ideal);
    HeapGreedy greedy = new HeapGreedy(ideal);
    int[] reduced = greedy.reduced;
    int worst = PaperReduction.worstPort(ideal, reduced);
    long size = ideal.length;
    while (reduced[worst] * idealSize * denominator > numerator * ideal[worst] * size) {
      worst = greedy.addEntry(worst);
      if (++size > idealSize) {
        return ideal.clone();
      }
    }
    return reduced;
  }

  /** The group of at most so many entries with the least oversubscription. */
  public static int[] fit(int[] ideal, int entries) {
    HeapGreedy greedy = new HeapGreedy(ideal);
    int worst = PaperReduction.worstPort(ideal, greedy.reduced);
    int best = ideal.length;
    long bestEntries = 1;
    long bestWeight = ideal[worst];
    for (int size = ideal.length + 1; size <= entries; size++) {
      worst = greedy.addEntry(worst);
      if (greedy.reduced[worst] * bestWeight * best < bestEntries * ideal[worst] * size) {
        best = size;
        bestEntries = greedy.reduced[worst];
        bestWeight = ideal[worst];
      }
    }
    HeapGreedy again = new HeapGreedy(ideal);
    for (int size = ideal.length + 1; size <= best; size++) {
      again.addEntry(0);
    }
    return again.reduced;
  }

  /** Adds an entry where it hurts least, and returns the port of the largest Y[i]/X[i]. */
  private int addEntry(int worst) {
    int port = heap[0];
    reduced[port]++;
    siftDown(0);
    return (long) reduced[port] * ideal[worst] > (long) reduced[worst] * ideal[port] ? port : worst;
  }

  private void siftDown(int start) {
    int port = heap[start];
    int hole = start;
    for (int child = 2 * hole + 1; child < heap.length; child = 2 * hole + 1) {
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) {
        child++;
      }
      if (!isBefore(heap[child], port)) {
        break;
      }
      heap[hole] = heap[child];
      hole = child;
    }
    heap[hole] = port;
  }

  private boolean isBefore(int a, int b) {
    long left = (reduced[a] + 1L) * ideal[b];
    long right = (reduced[b] + 1L) * ideal[a];
    return left < right || (left == right && a < b);
  }
}
