package org.evenweave.standalone.help;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenweave completion}: a script that has a shell complete commands and options. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    description = "Prints a script with which a shell completes evenweave's commands and options.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(evenweave completion bash)",
      "  source <(evenweave completion zsh)",
      "  evenweave completion fish > ~/.config/fish/completions/evenweave.fish"
    })
public final class CompletionCommand implements Callable<Integer> {
  /** A shell. */
  enum Shell {
    bash,
    zsh,
    fish
  }

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "SHELL", description = "One of: ${COMPLETION-CANDIDATES}.")
  private Shell shell;

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    // The script for Bash has Zsh emulate it.
    spec.commandLine()
        .getOut()
        .print(
            shell == Shell.fish
                ? FishCompletion.of(root)
                : AutoComplete.bash(root.getCommandName(), root));
    return spec.commandLine().getOut().checkError() ? 1 : 0;
  }
}
