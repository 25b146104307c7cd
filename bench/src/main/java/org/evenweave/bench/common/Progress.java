package org.evenweave.bench.common;

/** Prints the progress of a benchmark. */
public final class Progress {
  private Progress() {}

  /** Prints a line on stderr. */
  public static void say(String format, Object... arguments) {
    System.err.printf("bench: " + format + "%n", arguments);
  }
}
