package org.evenweave.standalone.help;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.evenweave.standalone.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HelpCommandsTest {
  @TempDir Path folder;

  private static String run(String... arguments) {
    StringWriter out = new StringWriter();
    int code = Main.commandLine().setOut(new PrintWriter(out, true)).execute(arguments);
    assertEquals(0, code);
    return out.toString();
  }

  @Test
  void eachShellHasACompletionOfCommandsAndOptions() {
    String bash = run("completion", "bash");
    assertTrue(bash.contains("complete -F _complete_evenweave"), bash);
    assertFalse(bash.startsWith("#!"), bash);
    String zsh = run("completion", "zsh");
    assertTrue(zsh.startsWith("#compdef evenweave\n"), zsh);
    assertTrue(zsh.contains("bashcompinit"), zsh);
    assertFalse(zsh.contains("alias compopt"), zsh);
    assertTrue(zsh.endsWith("  _bash_complete -o default -F _complete_evenweave\nfi\n"), zsh);
    String fish = run("completion", "fish");
    List<String> lines = fish.lines().collect(Collectors.toList());
    assertTrue(
        lines.stream().anyMatch(line -> line.contains(" -a 'status' -d 'Shows whether")), fish);
    assertTrue(
        lines.stream()
            .anyMatch(
                line ->
                    line.startsWith(
                        "complete -c evenweave -n '__fish_seen_subcommand_from drain' -l wait -r")),
        fish);
    assertTrue(lines.stream().noneMatch(line -> line.contains("${")), fish);
  }

  @Test
  void everyCommandHasAManualPage() throws Exception {
    run("man", folder.toString());
    Set<String> names;
    try (Stream<Path> files = Files.list(folder)) {
      names = files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    }
    assertTrue(
        names.containsAll(List.of("evenweave.1", "evenweave-status.1", "evenweave-config-apply.1")),
        names.toString());
    String page = Files.readString(folder.resolve("evenweave-status.1"));
    assertTrue(page.startsWith(".TH \"EVENWEAVE\\-STATUS\" \"1\""), page);
    for (String section : List.of("NAME", "SYNOPSIS", "OPTIONS", "EXIT STATUS", "EXAMPLES")) {
      assertTrue(page.contains("\n.SH \"" + section + "\"\n"), section);
    }
    assertTrue(page.contains("\\fB\\-\\-server=URL\\fR"), page);
  }
}
