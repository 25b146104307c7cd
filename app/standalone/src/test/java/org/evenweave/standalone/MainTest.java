package org.evenweave.standalone;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {
  @Test
  void everySubcommandIsTheSameWhetherItIsBuiltAloneOrWithAll() {
    Main.commandLine()
        .getSubcommands()
        .forEach(
            (name, expected) -> {
              CommandLine alone = Main.commandLineFor(name).getSubcommands().get(name);
              assertEquals(expected.getUsageMessage(), alone.getUsageMessage(), name);
              assertArrayEquals(
                  expected.getCommandSpec().version(), alone.getCommandSpec().version(), name);
              assertEquals(
                  expected.getSubcommands().keySet(), alone.getSubcommands().keySet(), name);
            });
  }

  @Test
  void aNamedSubcommandIsBuiltAlone() {
    assertEquals(
        Set.of("reduce"), Main.commandLineFor("reduce", "--help").getSubcommands().keySet());
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "-V", "reduced", "", "completion", "man"})
  void allAreBuiltWhereNoneIsNamedOrWhereOneDescribesTheOthers(String argument) {
    assertEquals(
        Main.commandLine().getSubcommands().keySet(),
        Main.commandLineFor(argument).getSubcommands().keySet());
  }

  @Test
  void allAreBuiltWithoutArguments() {
    assertEquals(
        Main.commandLine().getSubcommands().keySet(),
        Main.commandLineFor().getSubcommands().keySet());
  }
}
