package org.evenweave.sdd.protocol;

/** Argument checks for calls from the controller's own code. */
final class Ranges {
  private Ranges() {}

  /**
   * @throws IllegalArgumentException naming the field, if the value is out of range
   */
  static long between(long value, long least, long most, String field) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          field + ": " + value + " is not in " + least + " to " + most);
    }
    return value;
  }

  static int queue(int queue) {
    return (int) between(queue, 0, Limits.MAX_QUEUES - 1, "queue");
  }
}
