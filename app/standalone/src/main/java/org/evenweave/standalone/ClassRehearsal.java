package org.evenweave.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Uses a tool, the controller and its client once, so that the build can archive the classes that
 * they load ({@code -XX:DumpLoadedClassList}): with the archive all commands start sooner. Run by
 * the build only; fails the build if a command fails.
 */
final class ClassRehearsal {
  private static final List<String> CLIENT = List.of("topology", "oversubscription");

  private static final String REDUCE =
      "{\"weights\":[2,2,3,5],\"maxOversubscription\":1.15}\n"
          + "{\"weights\":[2,2,3,5],\"maxOversubscription\":1.05,\"leaveOut\":\"auto\"}\n";

  private ClassRehearsal() {}

  /**
   * @param arguments a fabric file, and a folder for the tool's input
   */
  public static void main(String[] arguments) throws Exception {
    // Tools close standard output, so that one alone can be used.
    Path input = Path.of(arguments[1], "rehearsal.json");
    Files.writeString(input, REDUCE, StandardCharsets.UTF_8);
    require("reduce", Main.commandLine().execute("reduce", input.toString()));
    Files.delete(input);
    runController(arguments[0]);
    System.exit(0);
  }

  private static void require(String command, int status) {
    if (status != 0) {
      throw new IllegalStateException(command + " ended with status " + status);
    }
  }

  /** Until the client has asked it; it is closed by its shutdown hook. */
  private static void runController(String fabric) throws IOException {
    PipedReader ready = new PipedReader();
    PrintWriter out = new PrintWriter(new PipedWriter(ready), true);
    Thread controller =
        new Thread(
            () ->
                Main.commandLine()
                    .setOut(out)
                    .execute(
                        "controller",
                        "--fabric",
                        fabric,
                        "--openflow",
                        "127.0.0.1:0",
                        "--http",
                        "127.0.0.1:0"),
            "controller");
    controller.setDaemon(true);
    controller.start();
    JsonNode line = new ObjectMapper().readTree(new BufferedReader(ready).readLine());
    for (String command : CLIENT) {
      int status =
          Main.commandLine()
              .setOut(new PrintWriter(Writer.nullWriter()))
              .execute(command, "--server", line.get("http").asText());
      require(command, status);
    }
  }
}
