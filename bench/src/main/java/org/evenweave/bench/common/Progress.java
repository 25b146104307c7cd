package org.evenweave.bench.common;

import java.util.Locale;

/** Prints the progress of a benchmark. */
public final class Progress {
  private Progress() {}

  /** Prints a line on stderr. */
  public static void say(String format, Object... arguments) {
    System.err.printf(Locale.ROOT, "bench: " + format + "%n", arguments);
  }
}
