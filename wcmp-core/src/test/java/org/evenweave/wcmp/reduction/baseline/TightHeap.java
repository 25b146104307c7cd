package org.evenweave.wcmp.reduction.baseline;

import java.util.Arrays;
import org.evenweave.wcmp.reduction.Ratio;

/**
 * The greedy of Algorithm 1 on a binary heap that is as tight as one gets it in C: no allocation,
 * no objects, one 64-bit key per port, one conditional move per level. A baseline for benchmarks;
 * exact, for up to 256 ports and groups of up to 2^20 entries. Not for several threads.
 *
 * <p>A key is the quotient (Y[i]+1)/X[i] as a double, whose bits order as integers do, with the
 * port in place of the 8 lowest bits. Distinct quotients of integers up to 2^20 differ by more than
 * 2^-40 of themselves, so in higher bits than those; equal ones go to the lowest port.
 */
public final class TightHeap {
  private static final int MAX_PORTS = 256;
  private static final long PORT = MAX_PORTS - 1;

  private final long numerator;
  private final long denominator;

  /** The least key at 1, the children of i at 2 i and 2 i + 1. */
  private final long[] heap = new long[MAX_PORTS + 1];

  /** A greedy within one limit, for any number of groups. */
  public TightHeap(Ratio limit) {
    numerator = limit.numerator().longValueExact();
    denominator = limit.denominator().longValueExact();
  }

  /**
   * The smallest group within the limit, as Algorithm 1 yields it.
   *
   * @param reduced filled with the entries per port
   * @return the size of the group
   */
  public long reduce(int[] ideal, int[] reduced) {
    int ports = ideal.length;
    long idealSize = 0;
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < ports; i++) {
      idealSize += ideal[i];
      least = Math.min(least, ideal[i]);
      heap[i + 1] = key(2, ideal[i], i);
    }
    Arrays.fill(reduced, 0, ports, 1);
    for (int i = ports / 2; i >= 1; i--) {
      siftDown(ports, i, heap[i]);
    }
    long size = ports;
    long worstEntries = 1;
    long worstWeight = least;
    while (worstEntries * idealSize * denominator > numerator * worstWeight * size) {
      int port = (int) (heap[1] & PORT);
      int entries = ++reduced[port];
      int weight = ideal[port];
      if (entries * worstWeight > worstEntries * weight) {
        worstEntries = entries;
        worstWeight = weight;
      }
      siftDown(ports, 1, key(entries + 1, weight, port));
      if (++size > idealSize) {
        System.arraycopy(ideal, 0, reduced, 0, ports);
        return idealSize;
      }
    }
    return size;
  }

  private static long key(int entries, int weight, int port) {
    return (Double.doubleToRawLongBits((double) entries / weight) & ~PORT) | port;
  }

  private void siftDown(int ports, int start, long key) {
    int hole = start;
    int child = 2 * hole;
    while (child < ports) {
      // The lesser child, without a branch that would be mispredicted half of the time.
      child += (int) ((heap[child + 1] - heap[child]) >>> (Long.SIZE - 1));
      if (heap[child] >= key) {
        heap[hole] = key;
        return;
      }
      heap[hole] = heap[child];
      hole = child;
      child = 2 * hole;
    }
    if (child == ports && heap[child] < key) {
      heap[hole] = heap[child];
      hole = child;
    }
    heap[hole] = key;
  }
}
