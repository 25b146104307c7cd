package org.evenweave.standalone.keys;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.evenweave.tls.KeyFolder;
import org.evenweave.tls.Participant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenweave keys renew}: new keys for those who have some. */
@Command(
    name = "renew",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    description = {
      "Makes new keys and certificates for holders in the folder, valid for a year, and"
          + " prints their names.",
      "The previous certificates stay valid until they expire. A controller reads its new"
          + " files at SIGHUP and closes no connection; Open vSwitch reads its own when they"
          + " change."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"1:the folder has no such keys, or openssl failed"})
final class RenewKeysCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "DIR", description = "A folder of evenweave keys make.")
  private Path folder;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "NAME",
      description = "The holders; by default all.")
  private List<String> names = List.of();

  @Override
  public Integer call() {
    try {
      for (Participant renewed : KeyFolder.renew(folder, names)) {
        spec.commandLine().getOut().println(renewed.name());
      }
      return 0;
    } catch (IOException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 1;
    }
  }
}
