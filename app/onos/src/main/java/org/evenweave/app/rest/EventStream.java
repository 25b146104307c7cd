package org.evenweave.app.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Server-sent events in the form of the engine's own event stream, from whichever instance leads:
 * polls the events, and sends those that are new or have been confirmed. While nothing changes,
 * request and response are a few bytes, thanks to the entity tag.
 *
 * <p>A new leader continues the sequence numbers, but a single instance that restarts begins at 0:
 * the stream detects that by a lower number.
 */
final class EventStream {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int ALL = 10_000;
  private static final long PAUSE_MILLIS = 100;

  /**
   * How often a comment is sent at least, since only a failed write detects a client that is gone.
   */
  private static final long HEARTBEAT_PAUSES = 5_000 / PAUSE_MILLIS;

  private final RestClient rest;
  private Map<Long, JsonNode> sent = Map.of();
  private long since;
  private long last;
  private String tag = "";

  /**
   * @param since only events with a greater sequence number
   */
  EventStream(RestClient rest, long since) {
    this.rest = rest;
    this.since = since;
    this.last = since;
  }

  /** The first response: not 200 if there can be no stream. */
  RestResponse first() {
    return poll();
  }

  /** Sends until {@code goesOn} is false or the client is gone, which is an {@link IOException}. */
  void send(RestResponse first, OutputStream output, BooleanSupplier goesOn)
      throws IOException, InterruptedException {
    RestResponse response = first;
    for (long pauses = 0; goesOn.getAsBoolean(); pauses++) {
      String news = response.status() == 200 ? news(JSON.readTree(response.text())) : "";
      if (news.isEmpty() && pauses % HEARTBEAT_PAUSES == 0) {
        news = ":\n\n";
      }
      if (!news.isEmpty()) {
        output.write(news.getBytes(StandardCharsets.UTF_8));
        output.flush();
      }
      Thread.sleep(PAUSE_MILLIS);
      response = poll();
    }
  }

  private RestResponse poll() {
    RestResponse response =
        rest.send(
            new RestRequest(
                "GET",
                "events?limit=" + ALL + "&since=" + since,
                tag.isEmpty() ? Map.of() : Map.of("If-None-Match", tag),
                new byte[0]));
    tag = response.headers().getOrDefault("ETag", tag);
    return response;
  }

  private String news(JsonNode page) {
    long lastNow = page.get("last").asLong();
    if (lastNow < last) {
      sent = Map.of();
      since = 0;
      last = 0;
      tag = "";
      return "";
    }
    last = lastNow;
    StringBuilder news = new StringBuilder();
    Map<Long, JsonNode> known = new HashMap<>();
    for (JsonNode event : page.get("events")) {
      long sequence = event.get("sequence").asLong();
      known.put(sequence, event);
      if (!event.equals(sent.get(sequence))) {
        news.append("id: ")
            .append(sequence)
            .append("\nevent: ")
            .append(event.get("kind").asText())
            .append("\ndata: ")
            .append(event)
            .append("\n\n");
      }
    }
    sent = known;
    return news.toString();
  }
}
