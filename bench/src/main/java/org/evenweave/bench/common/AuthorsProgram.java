package org.evenweave.bench.common;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A paper's authors' own program, which the user has built, run beside ours on the same machine in
 * the same minutes.
 */
public final class AuthorsProgram {
  private final Path program;

  private AuthorsProgram(Path program) {
    this.program = program;
  }

  /** The program at a path; none if the path is empty or not given. */
  public static Optional<AuthorsProgram> at(String path) {
    return Optional.ofNullable(path)
        .filter(given -> !given.isEmpty())
        .map(given -> new AuthorsProgram(Path.of(given)));
  }

  /** Stands in the result where the program's figures would. */
  public static ObjectNode skipped(String variable) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("skipped", "no program of the authors given: use --authors FILE or " + variable);
  }

  /**
   * Runs the program.
   *
   * @return the lines that it wrote to its standard output
   * @throws UncheckedIOException if it cannot be run, or ends with another status than 0
   */
  public List<String> run(String input, String... arguments) {
    List<String> command = new ArrayList<>(List.of(program.toAbsolutePath().toString()));
    command.addAll(List.of(arguments));
    Path inputFile = null;
    try {
      // A file cannot stall the program, and the program cannot stall us, whatever it reads first.
      inputFile = Files.createTempFile("evenweave-bench", ".txt");
      Files.writeString(inputFile, input);
      Process process =
          new ProcessBuilder(command)
              .redirectInput(inputFile.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = process.waitFor();
      if (status != 0) {
        throw new IOException("it ended with status " + status);
      }
      return output.lines().collect(Collectors.toList());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + program + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + program + " ran", e);
    } finally {
      delete(inputFile);
    }
  }

  private static void delete(Path file) {
    try {
      if (file != null) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
