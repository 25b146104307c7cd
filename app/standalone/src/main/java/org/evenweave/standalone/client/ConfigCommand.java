package org.evenweave.standalone.client;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code evenweave config}: the configuration of a running controller. */
@Command(
    name = "config",
    mixinStandardHelpOptions = true,
    subcommands = {
      ConfigGetCommand.class,
      ConfigPatchCommand.class,
      ConfigDiffCommand.class,
      ConfigApplyCommand.class
    },
    description = "Shows, compares or changes the configuration of a running controller.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenweave config get > fabric.json",
      "  evenweave config diff fabric.json",
      "  evenweave config apply --dry-run fabric.json",
      "  evenweave config apply fabric.json",
      "  echo '{\"strategy\":\"ecmp\"}' | evenweave config patch -"
    })
public final class ConfigCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "say what to do: " + String.join(", ", spec.subcommands().keySet()));
  }
}
