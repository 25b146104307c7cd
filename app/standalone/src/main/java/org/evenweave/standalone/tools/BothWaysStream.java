package org.evenweave.standalone.tools;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/**
 * An array with something on every two switches, there and back, that takes long to compute: it is
 * computed on all processors while it is written, in memory for a few pairs.
 */
final class BothWaysStream extends JsonSerializable.Base {
  /** Enough to keep many processors busy; each may take some 100 KB of text in a large fabric. */
  private static final int PAIRS_AT_ONCE = 64;

  /** What to say of two switches, there and back, in JSON. */
  interface BothWays {
    List<String> between(int one, int other);
  }

  private final int[] switches;
  private final BothWays pairs;

  /**
   * @param switches distinct
   * @param pairs called for every two of them, in several threads
   */
  BothWaysStream(int[] switches, BothWays pairs) {
    this.switches = switches;
    this.pairs = pairs;
  }

  @Override
  public void serialize(JsonGenerator json, SerializerProvider provider) throws IOException {
    json.writeStartArray();
    ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      Queue<Future<List<Encoded>>> underWay = new ArrayDeque<>();
      for (int i = 0; i < switches.length; i++) {
        for (int k = i + 1; k < switches.length; k++) {
          int one = switches[i];
          int other = switches[k];
          if (underWay.size() == PAIRS_AT_ONCE) {
            write(underWay.remove(), json);
          }
          underWay.add(threads.submit(() -> texts(one, other)));
        }
      }
      while (!underWay.isEmpty()) {
        write(underWay.remove(), json);
      }
    } finally {
      threads.shutdownNow();
    }
    json.writeEndArray();
  }

  /** Encoded where it is computed, as one thread alone writes; several times as fast as Jackson. */
  private static final class Encoded extends SerializedString {
    private static final long serialVersionUID = 1;

    Encoded(String text) {
      super(text);
      _unquotedUTF8Ref = text.getBytes(StandardCharsets.UTF_8);
    }
  }

  private List<Encoded> texts(int one, int other) {
    return pairs.between(one, other).stream().map(Encoded::new).collect(Collectors.toList());
  }

  private static void write(Future<List<Encoded>> pair, JsonGenerator json) throws IOException {
    try {
      for (Encoded text : pair.get()) {
        json.writeRawValue(text);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a pair was computed");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error) {
        throw (Error) e.getCause();
      }
      throw (RuntimeException) e.getCause();
    }
  }

  @Override
  public void serializeWithType(
      JsonGenerator json, SerializerProvider provider, TypeSerializer type) throws IOException {
    serialize(json, provider);
  }
}
