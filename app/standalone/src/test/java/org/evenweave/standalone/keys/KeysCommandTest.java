package org.evenweave.standalone.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.evenweave.standalone.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class KeysCommandTest {
  @TempDir Path temporary;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out));
    command.setErr(new PrintWriter(err));
    return command.execute(arguments);
  }

  @Test
  void oneCommandMakesListsAndRenewsEverybodysKeys() {
    String folder = temporary.resolve("keys").toString();
    assertEquals(
        0,
        run("keys", "make", folder, "--switch", "s1=a1", "--operator", "alice=read", "h0", "cs"),
        err.toString());
    assertEquals(0, run("keys", "list", folder));
    String[] lines = out.toString().split("\\R", 0);
    String[] starts = {"alice operator read 20", "controller controller - 20", "cs client - 20"};
    for (int i = 0; i < starts.length; i++) {
      assertTrue(lines[i].startsWith(starts[i]), lines[i]);
    }
    assertTrue(lines[4].matches("s1 switch of:00000000000000a1 \\S+Z [0-9a-f]{64}"), lines[4]);
    assertEquals(0, run("keys", "renew", folder, "s1", "h0"));
    assertEquals("h0\ns1\n", out.toString().replace("\r", ""));
    assertEquals(1, run("keys", "renew", folder, "s9"));
    assertEquals(1, err.toString().lines().count(), err.toString());
    assertEquals(0, run("keys", "revoke", folder, "s1"));
    assertTrue(Files.exists(Path.of(folder, "crl.pem")));
    assertEquals(1, run("keys", "list", temporary.toString()));
    assertTrue(err.toString().contains("evenweave keys make did not write it"), err.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "keys | say which command: make, renew, revoke, list, token",
        "keys make DIR --switch s1=xyz | --switch: 'xyz' is not a datapath id",
        "keys make DIR --switch s1=12345678901234567 | is not a datapath id",
        "keys make DIR --operator a=root | --operator: 'root' is not a role: read, operate or",
        "keys make DIR --controller c=10.0.0.1;x | is neither an address nor a host name",
        "keys token ../x --role read --file F | cannot be a name",
        "keys token x --role root --file F | --role: 'root' is not a role",
        "keys token x --file F | Missing required option"
      })
  void wrongUseIsOneLineAndMakesNothing(String arguments, String expected) {
    Path folder = temporary.resolve("new");
    String[] words = arguments.split(" ");
    for (int i = 0; i < words.length; i++) {
      words[i] = words[i].equals("DIR") || words[i].equals("F") ? folder.toString() : words[i];
    }
    assertEquals(2, run(words));
    String first = err.toString().split("\\R", 0)[0].replace('"', '\'');
    assertTrue(first.contains(expected), first);
    assertFalse(Files.exists(folder));
  }

  @Test
  void aTokenIsPrintedOnceAndItsHashIsInTheFile() throws Exception {
    Path file = temporary.resolve("access.json");
    assertEquals(0, run("keys", "token", "grafana", "--role", "read", "--file", file.toString()));
    String token = out.toString().strip();
    assertTrue(token.matches("grafana\\.[A-Za-z0-9_-]{43}"), token);
    assertTrue(Files.readString(file).contains("\"grafana\""));
    String missing = temporary.resolve("none/access.json").toString();
    assertEquals(1, run("keys", "token", "x", "--role", "read", "--file", missing));
    assertTrue(err.toString().startsWith(missing + " cannot be written: "), err.toString());
  }
}
