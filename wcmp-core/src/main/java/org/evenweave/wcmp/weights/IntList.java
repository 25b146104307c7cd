package org.evenweave.wcmp.weights;

import java.util.Arrays;

/** A growing list of ints that is cleared and filled again without allocation. */
final class IntList {
  private int[] values = new int[64];
  private int size;

  void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = value;
  }

  int get(int i) {
    return values[i];
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  /** Keeps the first values alone. */
  void shorten(int newSize) {
    size = newSize;
  }

  int[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
