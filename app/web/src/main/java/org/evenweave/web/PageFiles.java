package org.evenweave.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.regex.Pattern;

/** The files of the page, as the build of {@code app/web} makes them. */
final class PageFiles {
  /** The document. */
  static final String INDEX = "index.html";

  /** One folder and a name; so no path leads outside. */
  private static final Pattern NAME =
      Pattern.compile("(?:assets/)?[A-Za-z0-9_][A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_-]+)+");

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "txt", "text/plain; charset=utf-8");

  private PageFiles() {}

  /**
   * What a file holds.
   *
   * @param name as in {@code assets/index-4f3a.js}
   * @return null if there is no such file
   */
  static byte[] read(String name) {
    if (!NAME.matcher(name).matches() || type(name) == null) {
      return null;
    }
    try (InputStream file = PageFiles.class.getResourceAsStream("page/" + name)) {
      return file == null ? null : file.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The media type of a file by its name; null if it is of none that the page has. */
  static String type(String name) {
    return TYPES.get(name.substring(name.lastIndexOf('.') + 1));
  }

  /** Whether a name changes with what the file holds. */
  static boolean isNamedByHash(String name) {
    return name.startsWith("assets/");
  }
}
