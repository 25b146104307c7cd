package org.evenweave.standalone.help;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.evenweave.schema.FileProblem;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenweave man}: writes the manual pages. */
@Command(
    name = "man",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    description =
        "Writes a manual page for each command into a folder, such as evenweave-status.1.",
    footerHeading = "%nExamples:%n",
    footer = {"  evenweave man man1 && man -l man1/evenweave-status.1"},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"1:the folder cannot be written"})
public final class ManCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "FOLDER",
      description = "The folder; created if it does not exist.")
  private Path folder;

  @Override
  public Integer call() {
    try {
      Files.createDirectories(folder);
      write(spec.root().commandLine());
      return 0;
    } catch (IOException e) {
      spec.commandLine().getErr().println(folder + ": " + FileProblem.of(e));
      return 1;
    }
  }

  private void write(CommandLine command) throws IOException {
    String name = command.getCommandSpec().qualifiedName("-");
    Files.writeString(folder.resolve(name + ".1"), ManPage.of(command));
    for (CommandLine below : command.getSubcommands().values()) {
      write(below);
    }
  }
}
