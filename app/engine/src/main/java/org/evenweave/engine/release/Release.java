package org.evenweave.engine.release;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The version of this software. */
public final class Release {
  private static final String VERSION = read();

  private Release() {}

  /** The version, by Semantic Versioning, as in {@code 1.0.0}. */
  public static String version() {
    return VERSION;
  }

  /** Maven writes the version there, so that jars and applications for ONOS have the same. */
  private static String read() {
    try (InputStream text = Release.class.getResourceAsStream("version.txt")) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8).trim();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
