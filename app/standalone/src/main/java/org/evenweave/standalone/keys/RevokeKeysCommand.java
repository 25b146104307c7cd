package org.evenweave.standalone.keys;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.evenweave.tls.KeyFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenweave keys revoke}: ends certificates before they expire. */
@Command(
    name = "revoke",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    description = {
      "Revokes all certificates of a holder, including those before renewals.",
      "Writes the list of all revoked certificates to DIR/crl.pem.",
      "A controller that has crl.pem beside ca.pem reads it at SIGHUP, refuses their"
          + " holders and ends their connections. If a holder still needs access, make new keys:"
          + " evenweave keys renew DIR NAME."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"1:the folder has no such keys, or openssl failed"})
final class RevokeKeysCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "DIR", description = "A folder of evenweave keys make.")
  private Path folder;

  @Parameters(index = "1..*", arity = "1..*", paramLabel = "NAME", description = "The holders.")
  private List<String> names = List.of();

  @Override
  public Integer call() {
    try {
      KeyFolder.revoke(folder, names);
      return 0;
    } catch (IOException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 1;
    }
  }
}
