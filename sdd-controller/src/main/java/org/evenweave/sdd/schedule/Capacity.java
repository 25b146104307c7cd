package org.evenweave.sdd.schedule;

/** Bytes to times and back, exact to the last nanosecond and byte. */
public final class Capacity {
  private Capacity() {}

  /**
   * The bytes that a link carries in a time, rounded down.
   *
   * @throws ArithmeticException if the bits times a million exceed a {@code long}: 92 s at 100 Gb/s
   */
  public static long bytes(long capacityBps, long durationNs) {
    long microseconds = durationNs / 1_000;
    long rest = durationNs % 1_000;
    // In millionths of a bit. Dividing in two steps rounds down as dividing once does.
    long microbits =
        Math.addExact(
            Math.multiplyExact(capacityBps, microseconds),
            Math.multiplyExact(capacityBps, rest) / 1_000);
    return microbits / 8_000_000;
  }

  /**
   * The time that a link takes to carry so many bytes, rounded up.
   *
   * @param capacityBps more than 0, less than 9.2 Tb/s
   */
  public static long durationNs(long capacityBps, long bytes) {
    long bits = Math.multiplyExact(bytes, 8);
    long seconds = bits / capacityBps;
    long microbits = Math.multiplyExact(bits % capacityBps, 1_000_000);
    long microseconds = microbits / capacityBps;
    long rest = Math.multiplyExact(microbits % capacityBps, 1_000);
    return Math.addExact(
        Math.multiplyExact(seconds, 1_000_000_000),
        microseconds * 1_000 + (rest + capacityBps - 1) / capacityBps);
  }
}
