package org.evenweave.standalone.keys;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code evenweave keys}: keys, certificates and tokens for everybody who connects. */
@Command(
    name = "keys",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    subcommands = {
      MakeKeysCommand.class,
      RenewKeysCommand.class,
      RevokeKeysCommand.class,
      ListKeysCommand.class,
      TokenCommand.class
    },
    description =
        "Makes keys and certificates for controllers, switches, operators, hosts and"
            + " edges, and tokens for REST.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenweave keys make keys --controller controller=10.0.0.1 --switch s1=1",
      "  evenweave keys make keys --operator alice=configure h0 h1 cs",
      "  evenweave keys renew keys s1",
      "  evenweave keys revoke keys s1",
      "  evenweave keys list keys",
      "  evenweave keys token grafana --role read --file access.json"
    })
public final class KeysCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "say which command: " + String.join(", ", spec.subcommands().keySet()));
  }
}
