package org.evenweave.standalone.tools;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An array with something on every two switches, there and back, that takes long to compute: it is
 * computed on all processors while it is written, in memory for a few pairs.
 */
final class BothWaysStream extends JsonSerializable.Base {
  /** Enough to keep many processors busy; each may take some 100 KB of text in a large fabric. */
  private static final int PAIRS_AT_ONCE = 64;

  /** What to say of two switches, there and back. */
  interface BothWays {
    List<ObjectNode> between(int one, int other);
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
    List<int[]> batch = new ArrayList<>();
    for (int one = 0; one < switches.length; one++) {
      for (int other = one + 1; other < switches.length; other++) {
        batch.add(new int[] {switches[one], switches[other]});
        if (batch.size() == PAIRS_AT_ONCE) {
          write(batch, json);
          batch.clear();
        }
      }
    }
    write(batch, json);
    json.writeEndArray();
  }

  /** Makes text of them where they are computed, as that takes a good part of the time too. */
  private void write(List<int[]> batch, JsonGenerator json) throws IOException {
    List<String> texts =
        batch.parallelStream()
            .flatMap(pair -> pairs.between(pair[0], pair[1]).stream())
            .map(Json::text)
            .collect(Collectors.toList());
    for (String text : texts) {
      json.writeRawValue(text);
    }
  }

  @Override
  public void serializeWithType(
      JsonGenerator json, SerializerProvider provider, TypeSerializer type) throws IOException {
    serialize(json, provider);
  }
}
