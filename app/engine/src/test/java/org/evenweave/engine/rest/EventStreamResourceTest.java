package org.evenweave.engine.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import javax.ws.rs.ServiceUnavailableException;
import org.junit.jupiter.api.Test;

class EventStreamResourceTest extends RestFixture {
  /** A thread that never waits is seen within milliseconds on an idle machine. */
  private static final long HANG_NANOS = 60_000_000_000L;

  @Test
  void theStreamEndsWithTheEngine() throws Exception {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    engine.events().close();
    new EventStreamResource(engine).stream(0, 0).write(output);
    assertTrue(output.toString(StandardCharsets.UTF_8).startsWith(":"));
  }

  /** Most streams end like that; JAX-RS logs an error with a stack trace for what is thrown. */
  @Test
  void aStreamWhoseClientHasGoneEndsWithoutAFailure() throws Exception {
    EventStreamResource resource = new EventStreamResource(engine);
    for (int i = 0; i <= EventStreamResource.MAX_STREAMS; i++) {
      resource.stream(0, 0)
          .write(
              new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                  throw new IOException("broken pipe");
                }
              });
    }
  }

  @Test
  void theStreamSendsAnEventAndItsConfirmation() throws Exception {
    EventStreamResource resource = new EventStreamResource(engine);
    long last = engine.events().lastSequence();
    CompletableFuture<Void> confirmed = new CompletableFuture<>();
    ByteArrayOutputStream output =
        new ByteArrayOutputStream() {
          @Override
          public void flush() {
            if (toString(StandardCharsets.UTF_8).contains("confirmedEpochMicros")) {
              confirmed.complete(null);
            }
          }
        };
    CompletableFuture<Void> stream =
        CompletableFuture.runAsync(
            () -> {
              try {
                resource.stream(0, last).write(output);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    network.cut(0);
    loop.runFor(SECOND_NANOS);
    CompletableFuture.anyOf(confirmed, stream).join();
    assertFalse(stream.isDone());
    engine.events().close();
    stream.get();
    String text = output.toString(StandardCharsets.UTF_8);
    assertTrue(text.contains("id: " + (last + 1) + "\nevent: link-down\ndata: {"), text.trim());
  }

  /** A client that has all events costs no processor time. */
  @Test
  void theStreamWaitsWhereTheClientHasTheLatestEvent() throws Exception {
    EventStreamResource resource = new EventStreamResource(engine);
    long last = engine.events().lastSequence();
    assertTrue(last > 0);
    Thread stream =
        new Thread(
            () -> {
              try {
                resource.stream(0, last).write(new ByteArrayOutputStream());
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    stream.start();
    long hangsAt = System.nanoTime() + HANG_NANOS;
    while (stream.getState() != Thread.State.TIMED_WAITING && System.nanoTime() < hangsAt) {
      Thread.sleep(1);
    }
    assertEquals(Thread.State.TIMED_WAITING, stream.getState());
    engine.events().close();
    stream.join();
  }

  @Test
  void streamsBeyondAFewAreRefused() {
    EventStreamResource resource = new EventStreamResource(engine);
    for (int i = 0; i < EventStreamResource.MAX_STREAMS; i++) {
      resource.stream(0, 0);
    }
    assertThrows(ServiceUnavailableException.class, () -> resource.stream(0, 0));
  }
}
