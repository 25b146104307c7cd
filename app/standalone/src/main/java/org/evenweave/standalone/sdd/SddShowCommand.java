package org.evenweave.standalone.sdd;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenweave sdd show}: what a running controller sees and does. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = "Shows what a running controller sees and does, from its REST.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenweave sdd show hosts",
      "  evenweave sdd show queues --host h0",
      "  evenweave sdd show schedule --json | jq .days"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"1:the controller cannot be reached or has no answer"})
final class SddShowCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What there is to see. */
  enum What {
    status,
    hosts,
    queues,
    demand,
    schedule,
    misses
  }

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "WHAT", description = "One of: ${COMPLETION-CANDIDATES}.")
  private What what;

  @Option(names = "--host", paramLabel = "NAME", description = "Whose queues.")
  private String host;

  @Option(
      names = "--http",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8282",
      description = "The controller's REST (default: ${DEFAULT-VALUE}).")
  private URI http;

  @Option(names = "--json", description = "The answer as it is.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    String query = host == null ? "" : "?host=" + URLEncoder.encode(host, StandardCharsets.UTF_8);
    HttpResponse<String> response;
    try {
      HttpRequest request =
          HttpRequest.newBuilder(http.resolve("/evenweave/sdd/" + what + query))
              .timeout(PATIENCE)
              .build();
      response =
          HttpClient.newBuilder()
              .connectTimeout(PATIENCE)
              .build()
              .send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException | IllegalArgumentException e) {
      err.println("no controller answers at " + http + ": choose another with --http");
      return 1;
    }
    return answered(response, err);
  }

  private int answered(HttpResponse<String> response, PrintWriter err) {
    JsonNode answer;
    try {
      answer = JSON.readTree(response.body());
    } catch (JsonProcessingException e) {
      err.println("what answers at " + http + " is no controller");
      return 1;
    }
    if (response.statusCode() != 200) {
      err.println(answer.path("error").asText("status " + response.statusCode()));
      return 1;
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(json ? response.body() + "\n" : Tables.of(answer));
    out.flush();
    return 0;
  }
}
