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
final class SddSharingCommand extends SddRestCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description = "The classes: sharing of the configuration, by itself. -: standard input.")
  private String file;

  @Option(names = "--none", description = "Leaves no classes.")
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
