package org.evenweave.standalone.keys;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.evenweave.tls.Certificates;
import org.evenweave.tls.KeyFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenweave keys list}: who has which certificate, and until when. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    description =
        "Prints a line for each certificate of a folder: name, kind, what it is bound to (a"
            + " switch's datapath id, an operator's role, a controller's addresses), date of"
            + " expiry, and SHA-256 fingerprint.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"1:the folder has no keys"})
final class ListKeysCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "DIR", description = "A folder of evenweave keys make.")
  private Path folder;

  @Override
  public Integer call() {
    try {
      PrintWriter out = spec.commandLine().getOut();
      for (KeyFolder.Issued each : KeyFolder.list(folder)) {
        String detail = each.holder.detail();
        out.println(
            String.join(
                " ",
                each.holder.name(),
                each.holder.kind().name().toLowerCase(Locale.ROOT),
                detail.isEmpty() ? "-" : detail,
                each.certificate.getNotAfter().toInstant().toString(),
                Certificates.fingerprint(each.certificate)));
      }
      return 0;
    } catch (IOException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 1;
    }
  }
}
