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
      "They are conditions that hosts watch, and what is done while they are in force.",
      "Those that are the same keep their state. They count until the controller stops,",
      "and at linked ones that take over.",
      "What has fired is in: evenweave sdd show events"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenweave sdd triggers > triggers.json",
      "  evenweave sdd triggers triggers.json",
      "  evenweave sdd triggers --end web-waits"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "1:the controller cannot be reached, refuses the triggers and keeps those it has, or has"
          + " the new ones and cannot say that others have them"
    })
final class SddTriggersCommand extends SddRestCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description = "The triggers: triggers of the configuration, by itself. -: standard input.")
  private String file;

  @Option(names = "--none", description = "Leaves no triggers.")
  private boolean none;

  @Option(
      names = "--end",
      paramLabel = "NAME",
      description = "Ends what this trigger does now; it may fire again.")
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
