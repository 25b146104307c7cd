package org.evenweave.app.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EventStreamTest {
  private static final RestResponse UNCHANGED = new RestResponse(304, Map.of(), new byte[0]);

  private final List<RestRequest> requests = new ArrayList<>();

  private static RestResponse events(String tag, long last, String... events) {
    String body = "{\"events\":[" + String.join(",", events) + "],\"last\":" + last + "}";
    return new RestResponse(200, Map.of("ETag", tag), body.getBytes(StandardCharsets.UTF_8));
  }

  private static String event(long sequence, String more) {
    return "{\"sequence\":" + sequence + ",\"kind\":\"link-down\"" + more + "}";
  }

  private static String message(String event) {
    String sequence = event.replaceAll("\\D*(\\d+).*", "$1");
    return "id: " + sequence + "\nevent: link-down\ndata: " + event + "\n\n";
  }

  /** What a stream sends that gets these answers and ends then. */
  private String sent(long since, RestResponse... answers)
      throws IOException, InterruptedException {
    Iterator<RestResponse> next = List.of(answers).iterator();
    EventStream stream =
        new EventStream(
            request -> {
              requests.add(request);
              return next.hasNext() ? next.next() : UNCHANGED;
            },
            since);
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    stream.send(stream.first(), output, () -> requests.size() <= answers.length);
    return output.toString(StandardCharsets.UTF_8);
  }

  @Test
  void anEventIsSentWhenItHappensAndWhenItIsConfirmed() throws Exception {
    String happened = event(1, "");
    String confirmed = event(1, ",\"confirmedEpochMicros\":5");
    String text =
        sent(0, events("a", 1, happened), events("b", 1, confirmed), events("c", 1, confirmed));
    assertEquals(message(happened) + message(confirmed), text);
  }

  @Test
  void unchangedEventsAreRequestedByEntityTag() throws Exception {
    sent(7, events("\"a\"", 7), UNCHANGED, UNCHANGED);
    assertTrue(requests.get(0).path().endsWith("&since=7"), requests.toString());
    assertEquals(Map.of(), requests.get(0).headers());
    assertEquals(Map.of("If-None-Match", "\"a\""), requests.get(1).headers());
    assertEquals(Map.of("If-None-Match", "\"a\""), requests.get(2).headers());
  }

  @Test
  void anEventOfANewLeaderIsNotTakenForAnOldOne() throws Exception {
    String text =
        sent(
            8,
            events("a", 9, event(9, "")),
            events("b", 1, new String[0]),
            events("b", 1, event(1, "")));
    assertEquals(message(event(9, "")) + message(event(1, "")), text);
    assertTrue(requests.get(2).path().endsWith("&since=0"), requests.toString());
  }

  @Test
  void aPauseBetweenTwoLeadersDoesNotEndTheStream() throws Exception {
    String text =
        sent(
            0,
            events("a", 1, event(1, "")),
            RestResponse.error(503, "no instance leads"),
            UNCHANGED);
    assertEquals(message(event(1, "")), text);
  }

  @Test
  void aQuietStreamSaysThatItIsThere() throws Exception {
    assertEquals(":\n\n", sent(0, events("a", 0)));
  }
}
