package org.evenweave.standalone.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Excludes switches or links, or ends that, and waits until all switches have confirmed it. */
abstract class ExclusionCommand extends ClientCommand {
  private static final long POLL_MILLIS = 100;

  @Parameters(
      arity = "1..*",
      paramLabel = "ELEMENT",
      description = "A switch (s2-1), or a link by either end (s1-0/1).")
  private List<String> elements;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description =
          "How long to wait until all switches have confirmed; 0: does not wait (default:"
              + " ${DEFAULT-VALUE}).")
  private int waitSeconds;

  private final String method;

  ExclusionCommand(String method) {
    this.method = method;
  }

  @Override
  final int run(Rest rest) throws ClientException, InterruptedException {
    if (waitSeconds < 0) {
      throw wrong("--wait must not be negative");
    }
    JsonNode exclusions = null;
    for (String element : elements) {
      exclusions = rest.send(method, "exclusions/" + Rest.encodedPath(element), null);
    }
    boolean confirmed = waitSeconds == 0 || awaitConfirmation(rest);
    Table table = new Table("EXCLUDED");
    exclusions.path("switches").forEach(each -> table.row(each.asText()));
    exclusions.path("links").forEach(each -> table.row(each.asText()));
    print(exclusions, table.isEmpty() ? "Nothing is excluded.\n" : table.toString());
    if (!confirmed) {
      throw new ClientException(
          ClientException.NOT_AS_IT_SHOULD_BE,
          "not all switches have confirmed after "
              + waitSeconds
              + " s; evenweave status shows when they have");
    }
    return 0;
  }

  private boolean awaitConfirmation(Rest rest) throws ClientException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(waitSeconds);
    while (!rest.get("status").path("confirmed").asBoolean()) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      Thread.sleep(POLL_MILLIS);
    }
    return true;
  }
}
