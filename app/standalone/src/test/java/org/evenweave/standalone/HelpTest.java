package org.evenweave.standalone;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Help texts: picocli wraps a paragraph and shows its first sentence as the summary. */
class HelpTest {
  private static final int COLUMNS = 80;

  static Stream<CommandLine> commands() {
    List<CommandLine> all = new ArrayList<>();
    add(Main.commandLine(), all);
    return all.stream();
  }

  private static void add(CommandLine command, List<CommandLine> all) {
    all.add(command);
    command.getSubcommands().values().forEach(each -> add(each, all));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void noLineIsLongerThanATerminal(CommandLine command) {
    UsageMessageSpec usage = command.getCommandSpec().usageMessage();
    Stream<String> written =
        Stream.of(usage.description(), usage.footer()).flatMap(Arrays::stream).map(HelpTest::shown);
    assertAll(
        Stream.concat(written.filter(HelpTest::isPreformatted), command.getUsageMessage().lines())
            .map(line -> () -> assertTrue(line.length() <= COLUMNS, line)));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aSummaryIsOneSentence(CommandLine command) {
    String summary = shown(command.getCommandSpec().usageMessage().description()[0]);
    assertTrue(summary.endsWith(".") && !summary.contains(". "), summary);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aParagraphIsOneString(CommandLine command) {
    assertAll(
        Arrays.stream(command.getCommandSpec().usageMessage().description())
            .map(HelpTest::shown)
            .filter(text -> !text.isEmpty() && !isPreformatted(text))
            .map(text -> () -> assertTrue(isParagraph(text), text)));
    assertAll(
        command.getCommandSpec().args().stream()
            .map(ArgSpec::description)
            .map(text -> () -> assertEquals(1, text.length, String.join("\n", text))));
  }

  @Test
  void theHelpOfWeightsDescribesEachStrategy() {
    String help = Main.commandLine().getSubcommands().get("weights").getUsageMessage();
    assertAll(
        WeightRule.strategyNames().stream()
            .map(name -> () -> assertTrue(help.contains("\"" + name + "\""), name)));
  }

  @Test
  void aHandBrokenLineIsNoParagraph() {
    assertTrue(isParagraph("Prints what differs."));
    assertTrue(isParagraph("To see which have fired: evenweave sdd show events"));
    assertEquals(false, isParagraph("changed, or none. Prints what differs."));
    assertEquals(false, isParagraph("Changes the named fields. All are"));
  }

  private static boolean isPreformatted(String text) {
    return text.startsWith("  ");
  }

  /** Whole sentences, or a reference to another command. */
  private static boolean isParagraph(String text) {
    return text.matches("[A-Z0-9].*([.:]|: evenweave [a-z -]+)");
  }

  private static String shown(String format) {
    return String.format(format);
  }
}
