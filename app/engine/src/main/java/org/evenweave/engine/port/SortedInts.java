package org.evenweave.engine.port;

import java.util.Arrays;

/** Arrays of ints with one element more or less than others. */
final class SortedInts {
  private SortedInts() {}

  /** A copy with one more element, before the one that is at {@code index} now. */
  static int[] inserted(int[] array, int index, int value) {
    int[] longer = Arrays.copyOf(array, array.length + 1);
    System.arraycopy(array, index, longer, index + 1, array.length - index);
    longer[index] = value;
    return longer;
  }

  /** A copy without the element at {@code index}. */
  static int[] removed(int[] array, int index) {
    int[] shorter = Arrays.copyOf(array, array.length - 1);
    System.arraycopy(array, index + 1, shorter, index, shorter.length - index);
    return shorter;
  }
}
