package org.evenweave.sdd.config;

import java.nio.file.Path;

/**
 * Configurations of the SDD controller: sharing, triggers and the edge's order, which REST changes,
 * among them.
 */
public final class SddConfigFuzz {
  private static final Path FOLDER = Path.of("/");

  private SddConfigFuzz() {}

  /** For Jazzer. */
  public static void fuzzerTestOneInput(byte[] text) {
    try {
      SddConfigReader.read(text, FOLDER);
    } catch (SddConfigException e) {
      // Refused with a reason.
    }
  }
}
