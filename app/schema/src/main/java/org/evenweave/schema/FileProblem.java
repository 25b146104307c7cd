package org.evenweave.schema;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why a file cannot be read or written, in the words of the operating system. */
public final class FileProblem {
  private FileProblem() {}

  /**
   * The reason alone, without the file's name: {@code permission denied}.
   *
   * @param problem of a method of {@link java.nio.file.Files}, whose message often is only the name
   */
  public static String of(IOException problem) {
    if (problem instanceof NoSuchFileException) {
      return "no such file";
    }
    if (problem instanceof AccessDeniedException) {
      return "permission denied";
    }
    String reason =
        problem instanceof FileSystemException
            ? ((FileSystemException) problem).getReason()
            : problem.getMessage();
    return reason == null ? problem.getClass().getSimpleName() : reason;
  }
}
