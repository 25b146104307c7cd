package org.evenweave.standalone.tools;

/** A line that a tool cannot work on; the message names the field and what is wrong with it. */
final class BadInputException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** For a problem whose message names its place. */
  BadInputException(String message) {
    // Expected in numbers, and never shown with a stack trace.
    super(message, null, false, false);
  }

  /**
   * @param path the offending field, as in {@code weights[2]}
   * @param problem what is wrong and what would be right
   */
  BadInputException(String path, String problem) {
    this(path + ": " + problem);
  }
}
