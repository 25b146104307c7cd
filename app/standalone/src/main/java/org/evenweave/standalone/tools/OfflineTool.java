package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.evenweave.schema.FileProblem;
import org.evenweave.schema.InputSchema;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command that answers JSON lines; which answer, and the schema of its name, makes the tool. */
@Command(
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every line has its answer",
      "1:a line was wrong; its answer is {\"error\":\"...\",\"line\":n}",
      "2:wrong arguments"
    })
abstract class OfflineTool implements Callable<Integer> {
  private static final Path STANDARD_INPUT = Path.of("-");

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description =
          "Files of JSON lines, whose numbers continue from file to file; - or none: standard"
              + " input. Their schema is docs/schema/COMMAND.json.")
  private List<Path> files = new ArrayList<>();

  /**
   * The answer to one line.
   *
   * @param input valid by the schema
   * @throws BadInputException or IllegalArgumentException, with the field's path, if it has none
   */
  abstract JsonNode answer(JsonNode input);

  /** The same for plain lines, of tools that get them by the million. */
  PlainResult plainAnswer() {
    return PlainResult.NONE;
  }

  @Override
  public final Integer call() {
    files.stream().filter(file -> !file.equals(STANDARD_INPUT)).forEach(this::requireReadable);
    List<Path> inputs = files.isEmpty() ? List.of(STANDARD_INPUT) : files;
    try (OutputStream out = new FileOutputStream(FileDescriptor.out)) {
      return run(inputs, out) ? 0 : 1;
    } catch (IOException e) {
      spec.commandLine().getErr().println(spec.qualifiedName() + ": " + e.getMessage());
      return 1;
    }
  }

  /** So that nothing is answered where a file of the last is missing. */
  private void requireReadable(Path file) {
    if (Files.isDirectory(file)) {
      throw new ParameterException(spec.commandLine(), file + ": is a directory");
    }
    if (!Files.isRegularFile(file) && Files.isReadable(file)) {
      return; // a pipe, which is to be opened once
    }
    try (InputStream in = Files.newInputStream(file)) {
      in.available();
    } catch (IOException e) {
      throw new ParameterException(spec.commandLine(), file + ": " + FileProblem.of(e));
    }
  }

  private boolean run(List<Path> inputs, OutputStream out) throws IOException {
    ResultStream answers =
        new ResultStream(() -> InputSchema.named(spec.name()), this::answer, plainAnswer(), out);
    for (Path file : inputs) {
      if (file.equals(STANDARD_INPUT)) {
        answers.answerAll(System.in);
      } else {
        try (InputStream in = Files.newInputStream(file)) {
          answers.answerAll(in);
        }
      }
    }
    return !answers.failed();
  }
}
