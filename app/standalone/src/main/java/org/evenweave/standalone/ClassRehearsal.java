package org.evenweave.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Uses a tool and the controller once, so that the build can archive the classes that they load
 * ({@code -XX:ArchiveClassesAtExit}): with the archive all commands start sooner. Run by the build
 * only; fails the build if a command fails.
 */
final class ClassRehearsal {
  private static final List<String> RESOURCES =
      List.of("status", "topology", "groups", "oversubscription", "events");

  private static final String REDUCE =
      "{\"weights\":[2,2,3,5],\"maxOversubscription\":1.15}\n"
          + "{\"weights\":[2,2,3,5],\"maxOversubscription\":1.05,\"leaveOut\":\"auto\"}\n";

  private ClassRehearsal() {}

  /**
   * @param arguments a fabric file, and a folder for the tool's input
   */
  public static void main(String[] arguments) throws Exception {
    // Tools close standard output, so that one alone can be used; what the others load besides is
    // in
    // the controller, too.
    Path input = Path.of(arguments[1], "rehearsal.json");
    Files.writeString(input, REDUCE, StandardCharsets.UTF_8);
    int status = Main.commandLine().execute("reduce", input.toString());
    Files.delete(input);
    if (status != 0) {
      throw new IllegalStateException("reduce ended with status " + status);
    }
    runController(arguments[0]);
    System.exit(0);
  }

  /** Until it has answered; it is closed by its shutdown hook. */
  private static void runController(String fabric) throws IOException, InterruptedException {
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
    HttpClient client = HttpClient.newHttpClient();
    for (String resource : RESOURCES) {
      URI address = URI.create(line.get("http").asText() + "/evenweave/" + resource);
      HttpResponse<Void> answer =
          client.send(
              HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.discarding());
      if (answer.statusCode() != 200) {
        throw new IllegalStateException(address + " answered " + answer.statusCode());
      }
    }
  }
}
