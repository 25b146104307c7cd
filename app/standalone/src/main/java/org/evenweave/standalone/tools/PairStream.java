package org.evenweave.standalone.tools;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * An array with something on every ordered pair of switches, destination by destination. Each is
 * computed when it is written, in memory for one destination: the array of a large fabric has
 * hundreds of megabytes.
 */
final class PairStream extends JsonSerializable.Base {
  private final Set<Integer> switches;
  private final IntFunction<IntFunction<ObjectNode>> pairTo;

  /**
   * @param pairTo by destination and then source, what to say of the pair
   */
  PairStream(Set<Integer> switches, IntFunction<IntFunction<ObjectNode>> pairTo) {
    this.switches = switches;
    this.pairTo = pairTo;
  }

  @Override
  public void serialize(JsonGenerator json, SerializerProvider provider) throws IOException {
    json.writeStartArray();
    for (int to : switches) {
      IntFunction<ObjectNode> pairFrom = pairTo.apply(to);
      for (int from : switches) {
        if (from != to) {
          pairFrom.apply(from).serialize(json, provider);
        }
      }
    }
    json.writeEndArray();
  }

  @Override
  public void serializeWithType(
      JsonGenerator json, SerializerProvider provider, TypeSerializer type) throws IOException {
    serialize(json, provider);
  }
}
