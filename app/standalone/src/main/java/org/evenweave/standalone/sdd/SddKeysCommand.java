package org.evenweave.standalone.sdd;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.evenweave.sdd.session.KeyMaker;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenweave sdd keys}: the keys of a test bed. */
@Command(
    name = "keys",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    description = {
      "Makes the keys of a test bed in a new folder, with openssl.",
      "There are ca.pem, controller.pem and .key, and NAME.pem and .key of each",
      "client, good for a year. What ca.key signs is trusted: keep it where no",
      "host can read it. For production have your own authority sign."
    },
    footerHeading = "%nExample:%n",
    footer = "  evenweave sdd keys keys h0 h1 h2 h3 cs",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"1:the folder is not empty, a name is none, or openssl failed"})
final class SddKeysCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "DIR", description = "A folder that is new or empty.")
  private Path folder;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "NAME",
      description = "The hosts and the circuit switch.")
  private List<String> names;

  @Override
  public Integer call() {
    try {
      KeyMaker.make(folder, names);
      return 0;
    } catch (IOException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 1;
    }
  }
}
