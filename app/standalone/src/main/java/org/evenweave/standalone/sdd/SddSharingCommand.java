package org.evenweave.standalone.sdd;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import org.evenweave.standalone.controller.HttpAddress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenweave sdd sharing}: shows or replaces the traffic classes of a running controller. */
@Command(
    name = "sharing",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Shows or replaces the traffic classes of a running controller.",
      "Weights, guarantees, ceilings and flows change; sessions, queues and packets",
      "stay. They count until the controller stops, and at linked ones that take over."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenweave sdd sharing > sharing.json",
      "  evenweave sdd sharing sharing.json",
      "  jq .sharing sdd.json | evenweave sdd sharing -"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "1:the controller cannot be reached, refuses the classes and keeps those it has, or has"
          + " the new ones and cannot say that others have them"
    })
final class SddSharingCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description = "The classes: sharing of the configuration, by itself. -: standard input.")
  private String file;

  @Option(names = "--none", description = "Leaves no classes.")
  private boolean none;

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:8282",
      converter = HttpAddress.class,
      description = "The controller's REST, also as http://HOST:PORT (default: ${DEFAULT-VALUE}).")
  private InetSocketAddress http;

  @Override
  public Integer call() throws InterruptedException {
    if (none && file != null) {
      throw new ParameterException(spec.commandLine(), "--none goes without a FILE");
    }
    SddRest rest = new SddRest(http);
    try {
      if (none) {
        rest.delete("sharing");
        return 0;
      }
      JsonNode answer =
          file == null ? rest.get("sharing") : rest.put("sharing", JsonFile.read(file, spec));
      spec.commandLine().getOut().println(answer.toPrettyString());
      return 0;
    } catch (SddRest.NoAnswerException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 1;
    }
  }
}
