package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import javax.ws.rs.DefaultValue;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Request;
import javax.ws.rs.core.Response;
import org.evenweave.engine.Engine;
import org.evenweave.engine.events.Event;

/** The events, and when all switches had confirmed the resulting changes. */
@Path("events")
@Produces(MediaType.APPLICATION_JSON)
public final class EventsResource {
  private static final double NANOS_PER_MS = 1e6;

  private final Engine engine;

  public EventsResource(Engine engine) {
    this.engine = engine;
  }

  /**
   * {@code {"events":[{"sequence":31,"kind":"link-down","subject":"s1-2/1-s2-0/4",
   * "detectedEpochMicros":1,"confirmedEpochMicros":2,"groupsChanged":4,"flowsChanged":1,
   * "stagesMs":{"wait":0.1,"routes":0.2,...}},...]}}; the last four are there once the last change
   * was confirmed by barrier, the very last only where a plan was computed for the event. {@code
   * detail} has what the subject does not say, where there is more.
   *
   * @param since only events with a greater sequence number
   * @param limit at most so many, the earliest
   */
  @GET
  public Response events(
      @QueryParam("since") @DefaultValue("0") long since,
      @QueryParam("limit") @DefaultValue("1000") int limit,
      @Context Request request) {
    Responses.requireNotNegative("since", since);
    Responses.requireLimit(limit);
    long change = engine.events().lastChange();
    return Responses.tagged(
        request,
        change,
        () -> {
          ObjectNode root = JsonNodeFactory.instance.objectNode();
          ArrayNode events = root.putArray("events");
          engine.events().since(since).stream()
              .limit(limit)
              .map(EventsResource::json)
              .forEach(events::add);
          root.put("last", engine.events().lastSequence());
          return root.toString();
        });
  }

  static ObjectNode json(Event event) {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("sequence", event.sequence())
            .put("kind", event.kind().text())
            .put("subject", event.subject())
            .put("detectedEpochMicros", event.detectedEpochMicros());
    if (!event.detail().isEmpty()) {
      node.put("detail", event.detail());
    }
    if (event.confirmedEpochMicros() != 0) {
      node.put("confirmedEpochMicros", event.confirmedEpochMicros())
          .put("groupsChanged", event.groupsChanged())
          .put("flowsChanged", event.flowsChanged());
      if (!event.stageNanos().isEmpty()) {
        ObjectNode stages = node.putObject("stagesMs");
        event.stageNanos().forEach((stage, nanos) -> stages.put(stage, nanos / NANOS_PER_MS));
      }
    }
    return node;
  }
}
