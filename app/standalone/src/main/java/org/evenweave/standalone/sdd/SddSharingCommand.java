package org.evenweave.standalone.sdd;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code evenweave sdd sharing}: shows or replaces the traffic classes of a running controller. */
@Command(
    name = "sharing",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Shows or replaces the traffic classes of a running controller.",
      "Replaces weights, guarantees, ceilings and flows; sessions, queues and packets"
          + " stay. The classes apply until the controller stops, and at linked controllers"
          + " that take over."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenweave sdd sharing > sharing.json",
      "  evenweave sdd sharing sharing.json",
      "  jq .sharing sdd.json | evenweave sdd sharing -"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "1:the controller cannot be reached, or refuses the classes and keeps its own, or accepts"
          + " them but cannot confirm that other controllers have them"
    })
final class SddSharingCommand extends SddRestCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description = "The classes: the value of sharing in the configuration; -: standard input.")
  private String file;

  @Option(names = "--none", description = "Removes all classes.")
  private boolean none;

  @Override
  String answer(SddRest rest) throws InterruptedException, SddRest.NoAnswerException {
    if (none && file != null) {
      throw wrong("--none goes without a FILE");
    }
    if (none) {
      rest.delete("sharing");
      return "";
    }
    return SddRest.text(
        file == null ? rest.get("sharing") : rest.put("sharing", JsonFile.read(file, spec)));
  }
}
