package org.evenweave.standalone.keys;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.evenweave.standalone.access.AccessFile;
import org.evenweave.standalone.access.Role;
import org.evenweave.tls.Participant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenweave keys token}: a token for REST. */
@Command(
    name = "token",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Makes a token for REST and prints it, once.",
      "FILE gets its bcrypt hash, which replaces that of an existing NAME. A controller with"
          + " --access FILE reads it at SIGHUP. To revoke a token, remove it from FILE."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  evenweave keys token grafana --role read --file access.json > grafana.token",
      "  curl -H \"Authorization: Bearer $(cat grafana.token)\" --cacert keys/ca.pem \\",
      "    https://10.0.0.1:8282/evenweave/status"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"1:the file cannot be read or written", "2:wrong options"})
final class TokenCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "NAME", description = "The name of its holder.")
  private String name;

  @Option(
      names = "--role",
      required = true,
      paramLabel = "ROLE",
      description =
          "What its holder may do: read, operate (also drain, release, verify) or"
              + " configure (also change the configuration).")
  private String role;

  @Option(
      names = "--file",
      required = true,
      paramLabel = "FILE",
      description = "The file of tokens; created if it does not exist.")
  private Path file;

  @Override
  public Integer call() {
    if (!Participant.isName(name)) {
      throw new ParameterException(
          spec.commandLine(),
          "\"" + name + "\" cannot be a name: it needs 1 to 63 letters, digits and . _ -");
    }
    Role wanted =
        Role.named(role)
            .orElseThrow(
                () ->
                    new ParameterException(
                        spec.commandLine(),
                        "--role: \"" + role + "\" is not a role: read, operate or configure"));
    try {
      spec.commandLine().getOut().println(AccessFile.addToken(file, name, wanted));
      return 0;
    } catch (IOException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 1;
    }
  }
}
