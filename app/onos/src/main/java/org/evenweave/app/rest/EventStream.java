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
 * Events as they happen, in the form of the engine's own event stream, from whichever instance
 * leads: asks for the events again and again, and sends what is new or has been confirmed. While
 * nothing changes, question and answer are a few bytes, thanks to the answer's tag.
 *
 * <p>A new leader counts on, but a lone instance that was restarted begins anew; that is recognised
 * by a count that has gone back.
 */
final class EventStream {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int ALL = 10_000;
  private static final long PAUSE_MILLIS = 100;

  /** A comment is sent at least so often, or a client that has gone would never be noticed. */
  private static final long HEARTBEAT_PAUSES = 5_000 / PAUSE_MILLIS;

  private final RestClient questions;
  private Map<Long, JsonNode> sent = Map.of();
  private long since;
  private long last;
  private String tag = "";

  /**
   * @param since only events with a greater sequence number
   */
  EventStream(RestClient questions, long since) {
    this.questions = questions;
    this.since = since;
    this.last = since;
  }

  /** The first answer: not 200 if there is no stream to be had. */
  RestResponse first() {
    return poll();
  }

  /** Sends until told to stop or until the client has gone, which is an {@link IOException}. */
  void send(RestResponse first, OutputStream output, BooleanSupplier goesOn)
      throws IOException, InterruptedException {
    RestResponse answer = first;
    for (long pauses = 0; goesOn.getAsBoolean(); pauses++) {
      String news = answer.status() == 200 ? news(JSON.readTree(answer.text())) : "";
      if (news.isEmpty() && pauses % HEARTBEAT_PAUSES == 0) {
        news = ":\n\n";
      }
      if (!news.isEmpty()) {
        output.write(news.getBytes(StandardCharsets.UTF_8));
        output.flush();
      }
      Thread.sleep(PAUSE_MILLIS);
      answer = poll();
    }
  }

  private RestResponse poll() {
    RestResponse answer =
        questions.ask(
            new RestRequest(
                "GET",
                "events?limit=" + ALL + "&since=" + since,
                tag.isEmpty() ? Map.of() : Map.of("If-None-Match", tag),
                new byte[0]));
    tag = answer.headers().getOrDefault("ETag", tag);
    return answer;
  }

  private String news(JsonNode answer) {
    long lastNow = answer.get("last").asLong();
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
    for (JsonNode event : answer.get("events")) {
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
