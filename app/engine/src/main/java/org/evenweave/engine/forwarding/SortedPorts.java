package org.evenweave.engine.forwarding;

import java.util.Arrays;

/** Sets of ports as arrays of distinct, rising numbers. */
final class SortedPorts {
  private static final int[] NONE = {};

  private SortedPorts() {}

  /** Whether the first has all of the second. O(both). */
  static boolean containsAll(int[] ports, int[] others) {
    if (ports == others) {
      return true;
    }
    int i = 0;
    for (int port : others) {
      while (i < ports.length && ports[i] < port) {
        i++;
      }
      if (i == ports.length || ports[i] != port) {
        return false;
      }
    }
    return true;
  }

  /** One of the two if it has all of the other. */
  static int[] union(int[] a, int[] b) {
    if (containsAll(a, b)) {
      return a;
    }
    if (containsAll(b, a)) {
      return b;
    }
    int[] all = new int[a.length + b.length];
    int count = 0;
    int i = 0;
    int j = 0;
    while (i < a.length || j < b.length) {
      int next = j == b.length || (i < a.length && a[i] <= b[j]) ? a[i] : b[j];
      i += i < a.length && a[i] == next ? 1 : 0;
      j += j < b.length && b[j] == next ? 1 : 0;
      all[count++] = next;
    }
    return Arrays.copyOf(all, count);
  }

  /** The ports that are not among others. O(both). */
  static int[] without(int[] ports, int[] others) {
    if (ports == others) {
      return NONE;
    }
    int[] rest = new int[ports.length];
    int count = 0;
    int i = 0;
    for (int port : ports) {
      while (i < others.length && others[i] < port) {
        i++;
      }
      if (i == others.length || others[i] != port) {
        rest[count++] = port;
      }
    }
    return Arrays.copyOf(rest, count);
  }
}
