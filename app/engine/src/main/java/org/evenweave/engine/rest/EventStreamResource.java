package org.evenweave.engine.rest;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Semaphore;
import javax.ws.rs.DefaultValue;
import javax.ws.rs.GET;
import javax.ws.rs.HeaderParam;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.ServiceUnavailableException;
import javax.ws.rs.core.StreamingOutput;
import org.evenweave.engine.Engine;
import org.evenweave.engine.events.Event;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Events as they happen, as server-sent events (WHATWG HTML, section 9.2), for {@code EventSource}
 * in a browser or {@code curl -N}. Each stream holds a thread of the server, so there are few.
 */
@Path("events/stream")
public final class EventStreamResource {
  static final int MAX_STREAMS = 8;

  /** A comment is sent at least so often, or a client that has gone would never be noticed. */
  private static final long HEARTBEAT_MILLIS = 5_000;

  /** JAX-RS runtimes hold back the first 8 KiB to learn the length of short answers. */
  private static final String FILL = ":" + " ".repeat(8192) + "\n\n";

  private static final Logger LOG = LoggerFactory.getLogger(EventStreamResource.class);

  private final Engine engine;
  private final Semaphore streams = new Semaphore(MAX_STREAMS);

  public EventStreamResource(Engine engine) {
    this.engine = engine;
  }

  /**
   * {@code id: 31}, {@code event: link-down}, {@code data:} as in the list of events; an event
   * comes when it happens and again when it is confirmed. 503 when too many listen.
   *
   * @param since only events with a greater sequence number; a browser that reconnects sends it
   *     itself, in {@code Last-Event-ID}
   */
  @GET
  @Produces("text/event-stream")
  public StreamingOutput stream(
      @QueryParam("since") @DefaultValue("0") long since,
      @HeaderParam("Last-Event-ID") @DefaultValue("0") long lastEventId) {
    Responses.requireNotNegative("since", since);
    Responses.requireNotNegative("Last-Event-ID", lastEventId);
    if (!streams.tryAcquire()) {
      throw new ServiceUnavailableException("there are " + MAX_STREAMS + " streams already");
    }
    return output -> {
      try {
        send(Math.max(since, lastEventId), output);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (IOException e) {
        // The client has gone, which is how most streams end; JAX-RS would log it as an error.
        LOG.debug("a stream of events ended: {}", e.getMessage());
      } finally {
        streams.release();
      }
    };
  }

  private void send(long since, OutputStream output) throws IOException, InterruptedException {
    write(output, FILL);
    long change = 0;
    while (!engine.events().isClosed()) {
      // The latest change may be of an event that this client has: it must not end the wait below.
      long latest = engine.events().lastChange();
      List<Event> changed = engine.events().changedAfter(change, since);
      change = latest;
      for (Event event : changed) {
        write(
            output,
            "id: "
                + event.sequence()
                + "\nevent: "
                + event.kind().text()
                + "\ndata: "
                + EventsResource.json(event)
                + "\n\n");
        change = Math.max(change, event.change());
      }
      if (!engine.events().awaitChangeAfter(change, HEARTBEAT_MILLIS)) {
        write(output, ":\n\n");
      }
    }
  }

  private static void write(OutputStream output, String text) throws IOException {
    output.write(text.getBytes(StandardCharsets.UTF_8));
    output.flush();
  }
}
