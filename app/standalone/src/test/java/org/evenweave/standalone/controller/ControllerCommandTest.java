package org.evenweave.standalone.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.evenweave.standalone.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

class ControllerCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out));
    command.setErr(new PrintWriter(err));
    return command.execute(arguments);
  }

  @Test
  void helpShowsExamplesAndExitCodes() {
    assertEquals(0, run("controller", "--help"));
    for (String part : new String[] {"--fabric", "--openflow", "Examples:", "Exit codes:"}) {
      assertTrue(out.toString().contains(part), part);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | say which command",
        "nonsense | evenweave: Unmatched argument at index 0: 'nonsense'",
        "controller --openflow x:y | 'x:y' is not an address like 127.0.0.1:6653",
        "controller --http 127.0.0.1:65536 | is not an address like",
        "controller --http http://127.0.0.1:8282/x | is not an address like 127.0.0.1:8282 or http",
        "controller --strategy fastest | auto, wcmp, maxflow, pair, traffic or ecmp",
        "controller --switch-timeout 0 | --switch-timeout must be from 0.1 to 3600.0 seconds",
        "controller --switch-timeout NaN | --switch-timeout must be from 0.1 to 3600.0 seconds",
        "controller --probe-period 0.1 | --probe-period must be from 0.2 to 60.0 seconds",
        "controller --fabric /no/such/file | --fabric: /no/such/file: no such file"
      })
  void wrongUseIsOneLineAndExitCode2(String arguments, String expected) {
    assertEquals(2, run(arguments.isEmpty() ? new String[0] : arguments.split(" ")));
    String[] lines = err.toString().split("\\R", 0);
    assertTrue(lines[0].replace('"', '\'').contains(expected), lines[0]);
    assertEquals(2, lines.length, err.toString());
    assertTrue(lines[1].startsWith("Try: evenweave"), lines[1]);
    assertEquals("", out.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--openflow 0.0.0.0:0 | --openflow 0.0.0.0:0 can be reached from other machines",
        "--openflow [::]:0 | can be reached from other machines, where anybody could pass for a",
        "--http 0.0.0.0:0 | TLS needs --keys DIR (evenweave keys make); --insecure serves",
        "--http http://0.0.0.0:0 --keys k --audit-log a | --insecure serves plain HTTP without log-in",
        "--http 0.0.0.0:0 --keys k | name a file with --audit-log",
        "--http https://127.0.0.1:0 | --http https://127.0.0.1:0 needs keys for TLS",
        "--access a | name a file with --audit-log"
      })
  void beyondLoopbackNobodyIsServedWithoutProtection(String arguments, String expected) {
    // A check refuses what a start would.
    for (String check : List.of("", " --check")) {
      err.getBuffer().setLength(0);
      assertEquals(2, run(("controller " + arguments + check).split(" ")));
      String first = err.toString().split("\\R", 0)[0];
      assertTrue(first.contains(expected), first);
      assertEquals("", out.toString());
    }
  }

  @Test
  void keysAndTokensThatCannotBeReadAreOneLineAndExitCode1(@TempDir Path folder) {
    String none = folder.resolve("none").toString();
    Path audit = folder.resolve("audit");
    for (String last : List.of("--check", "--openflow=0")) {
      err.getBuffer().setLength(0);
      assertEquals(1, run("controller", "--keys", none, last));
      assertTrue(
          err.toString().startsWith(none + "/controller.pem does not exist"), err.toString());
      err.getBuffer().setLength(0);
      assertEquals(1, run("controller", "--access", none, "--audit-log", audit.toString(), last));
      assertTrue(err.toString().startsWith(none + " cannot be read"), err.toString());
      assertEquals(1, err.toString().lines().count());
      assertEquals(last.equals("--check"), !Files.exists(audit));
    }
  }

  @Test
  void aWrongFieldOfTheFabricIsNamedWithItsFile(@TempDir Path folder) throws IOException {
    Path fabric = folder.resolve("fabric.json");
    Files.writeString(
        fabric, "{\"switches\":[{\"id\":\"s1-0\",\"stage\":0}],\"links\":[],\"subnets\":[]}");
    assertEquals(2, run("controller", "--fabric", fabric.toString()));
    assertTrue(
        err.toString().contains("--fabric: " + fabric + ": switches[0].stage: "), err.toString());
  }

  @Test
  void aCheckEndsWithoutListening(@TempDir Path folder) throws IOException {
    Path fabric = folder.resolve("fabric.json");
    Files.writeString(
        fabric,
        "{\"switches\":[{\"id\":\"a\",\"stage\":1,\"table\":16},{\"id\":\"b\",\"stage\":1}],"
            + "\"links\":[{\"a\":\"a/1\",\"b\":\"b/1\",\"bps\":1000000},"
            + "{\"a\":\"a/2\",\"b\":\"b/2\",\"bps\":1000000}],"
            + "\"subnets\":[{\"switch\":\"b\",\"prefix\":\"10.0.1.0/24\"}]}");
    assertEquals(0, run("controller", "--check", "--fabric", fabric.toString()), err.toString());
    assertEquals("", out.toString());
    Files.writeString(fabric, Files.readString(fabric).replace("\"table\":16", "\"table\":15"));
    assertEquals(2, run("controller", "--check", "--fabric", fabric.toString()));
    assertTrue(err.toString().contains("--fabric: " + fabric + ": switches[0]."), err.toString());
  }

  @ParameterizedTest
  @CsvSource({"version", "--version", "controller --version"})
  void theVersionIsThatOfTheBuild(String arguments) {
    assertEquals(0, run(arguments.split(" ")));
    assertTrue(out.toString().matches("evenweave [0-9]+\\.[0-9]+\\.[0-9]+\\R"), out.toString());
  }

  @Test
  void aSwitchIdThatFitsNoProbeIsRefused(@TempDir Path folder) throws IOException {
    Path fabric = folder.resolve("fabric.json");
    Files.writeString(
        fabric, "{\"switches\":[{\"id\":\"" + "e".repeat(256) + "\",\"stage\":1}],\"links\":[]}");
    assertEquals(2, run("controller", "--fabric", fabric.toString()));
    assertTrue(err.toString().contains("switches[0].id: must be 1 to 255 letters"), err.toString());
  }

  @Test
  void aTakenPortIsOneLineAndExitCode1() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + taken.getLocalPort();
      assertEquals(1, run("controller", "--openflow", address, "--http", "0"));
      assertEquals(
          address
              + " is already in use: stop what listens there, or choose another with --openflow"
              + System.lineSeparator(),
          err.toString());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "6653, 127.0.0.1:6653",
    "127.0.0.2:1, 127.0.0.2:1",
    "[::1]:80, [0:0:0:0:0:0:0:1]:80",
    "0.0.0.0:0, 0.0.0.0:0"
  })
  void anEndpointIsAHostAndAPortOrAPortOfLoopback(String text, String read) {
    InetSocketAddress address = new Endpoint().convert(text);
    assertEquals(read, Endpoint.text(address));
  }

  @ParameterizedTest
  @CsvSource({"''", "host", ":1", "1.2.3.4:", "1.2.3.4:99999", "::1:80", "a b:1", "-1", "1e3"})
  void anythingElseIsNoEndpoint(String text) {
    assertThrows(TypeConversionException.class, () -> new Endpoint().convert(text));
  }
}
