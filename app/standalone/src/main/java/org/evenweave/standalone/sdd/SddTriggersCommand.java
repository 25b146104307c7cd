package org.evenweave.standalone.sdd;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code evenweave sdd triggers}: shows, replaces or ends triggers of a running controller. */
@Command(
    name = "triggers",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Shows or replaces the triggers of a running controller.",
      "A trigger is a condition that hosts watch, with actions while it is in force."
          + " Unchanged triggers keep their state. Triggers apply until the controller stops,"
          + " and at linked controllers that take over.",
      "To see which have fired: evenweave sdd show events"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenweave sdd triggers > triggers.json",
      "  evenweave sdd triggers triggers.json",
      "  evenweave sdd triggers --end web-waits"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "1:the controller cannot be reached, or refuses the triggers and keeps its own, or accepts"
          + " them but cannot confirm that other controllers have them"
    })
final class SddTriggersCommand extends SddRestCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description = "The triggers: the value of triggers in the configuration; -: standard input.")
  private String file;

  @Option(names = "--none", description = "Removes all triggers.")
  private boolean none;

  @Option(
      names = "--end",
      paramLabel = "NAME",
      description = "Ends the actions of this trigger now; it may fire again.")
  private String ended;

  @Override
  String answer(SddRest rest) throws InterruptedException, SddRest.NoAnswerException {
    if ((none ? 1 : 0) + (ended != null ? 1 : 0) + (file != null ? 1 : 0) > 1) {
      throw wrong("one of FILE, --none and --end, not two");
    }
    if (none) {
      rest.delete("triggers");
      return "";
    }
    if (ended != null) {
      if (ended.isEmpty()) {
        throw wrong("--end: needs the name of a trigger");
      }
      rest.post("triggers/" + SddRest.encoded(ended) + "/end");
      return "";
    }
    return SddRest.text(
        file == null ? rest.get("triggers") : rest.put("triggers", JsonFile.read(file, spec)));
  }
}
