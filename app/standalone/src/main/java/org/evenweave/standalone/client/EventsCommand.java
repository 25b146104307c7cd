package org.evenweave.standalone.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evenweave events}: what happened, and what happens. */
@Command(
    name = "events",
    description = {
      "Shows a controller's events.",
      "With -f it continues with events as they happen, and prints each twice: when it is"
          + " detected, and when all switches have confirmed its changes. With --json it prints"
          + " one event per line."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenweave events",
      "  evenweave events -f",
      "  evenweave events --since 31 --json"
    })
public final class EventsCommand extends ClientCommand {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DATA = "data:";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT)
          .withZone(ZoneId.systemDefault());
  private static final int MAX_EVENTS = 10_000;

  @Option(
      names = {"-f", "--follow"},
      description = "Continues with new events until interrupted.")
  private boolean follow;

  @Option(
      names = "--since",
      paramLabel = "NUMBER",
      defaultValue = "0",
      description = "Only events with a greater sequence number.")
  private long since;

  @Override
  int run(Rest rest) throws ClientException, InterruptedException {
    if (since < 0) {
      throw wrong("--since must not be negative");
    }
    if (follow) {
      return follow(rest);
    }
    for (JsonNode event :
        rest.get("events?since=" + since + "&limit=" + MAX_EVENTS).path("events")) {
      show(event);
    }
    return 0;
  }

  private int follow(Rest rest) throws ClientException, InterruptedException {
    try (Stream<String> lines = rest.stream("events/stream?since=" + since)) {
      for (Iterator<String> each = lines.iterator(); each.hasNext(); ) {
        String line = each.next();
        if (line.startsWith(DATA)) {
          show(JSON.readTree(line.substring(DATA.length())));
          if (out().checkError()) {
            return 0; // Nobody reads any more.
          }
        }
      }
    } catch (JsonProcessingException e) {
      throw new ClientException(
          ClientException.UNREACHABLE, "the stream contains something that is not JSON");
    } catch (UncheckedIOException e) {
      throw new ClientException(ClientException.UNREACHABLE, "the stream of events broke off");
    }
    throw new ClientException(
        ClientException.UNREACHABLE, "the controller ended the stream of events");
  }

  private void show(JsonNode event) {
    print(event, json ? "" : line(event) + "\n");
    if (json) {
      return;
    }
    out().flush();
  }

  /** {@code 31 2026-01-01 12:00:00.123 link-down s1-0/1-s2-0/1 (confirmed after 12.3 ms)}. */
  private static String line(JsonNode event) {
    long detected = event.path("detectedEpochMicros").asLong();
    long confirmed = event.path("confirmedEpochMicros").asLong();
    String outcome = "";
    if (confirmed != 0) {
      outcome =
          String.format(
              Locale.ROOT,
              " (confirmed after %.1f ms, %s and %s changed)",
              (confirmed - detected) / 1e3,
              counted(event.path("groupsChanged").asLong(), "group"),
              counted(event.path("flowsChanged").asLong(), "rule"));
    }
    return String.format(
        Locale.ROOT,
        "%6d %s %-20s %s%s%s",
        event.path("sequence").asLong(),
        TIME.format(Instant.EPOCH.plus(detected, ChronoUnit.MICROS)),
        event.path("kind").asText(),
        event.path("subject").asText(),
        event.has("detail") ? ": " + event.path("detail").asText() : "",
        outcome);
  }

  private static String counted(long count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }
}
