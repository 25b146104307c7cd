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
    spec.commandLine().getOut().print(script(spec.root().commandLine()));
    return spec.commandLine().getOut().checkError() ? 1 : 0;
  }

  private String script(CommandLine root) {
    switch (shell) {
      case fish:
        return FishCompletion.of(root);
      case zsh:
        return forZsh(root.getCommandName(), forBash(root));
      default:
        return forBash(root);
    }
  }

  /** Without the line that names an interpreter: a shell reads the script, and none starts it. */
  private static String forBash(CommandLine root) {
    String script = AutoComplete.bash(root.getCommandName(), root);
    return script.substring(script.indexOf('\n') + 1);
  }

  /**
   * The script for Bash, which has Zsh emulate it, to be sourced or to be a function in Zsh's
   * {@code fpath}. Such a function runs at the first completion, which it has to answer too, and is
   * parsed as a whole, before an alias in it is one.
   */
  private static String forZsh(String name, String script) {
    return "#compdef "
        + name
        + "\n"
        + script.replace("alias compopt=complete", "function compopt { :; }")
        + "\nif [ \"${funcstack[1]}\" = _"
        + name
        + " ]; then\n  _bash_complete -o default -F _complete_"
        + name
        + "\nfi\n";
  }
}
