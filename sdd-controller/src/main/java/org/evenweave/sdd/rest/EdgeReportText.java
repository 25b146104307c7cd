package org.evenweave.sdd.rest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;

/**
 * Joins an edge's reports, each about one peer, into one document. It works on text, since parsed
 * trees of a client's reports may be twenty times as large.
 */
final class EdgeReportText {
  private static final JsonFactory JSON = new JsonFactory();
  private static final String PEERS = "peers";

  private EdgeReportText() {}

  /**
   * The fields of the last one, with the peers of all.
   *
   * @param documents one or more, which were read when they came
   */
  static String join(List<String> documents) {
    StringWriter text = new StringWriter();
    try (JsonGenerator to = JSON.createGenerator(text)) {
      to.writeStartObject();
      copyFields(documents.get(documents.size() - 1), to);
      to.writeArrayFieldStart(PEERS);
      for (String document : documents) {
        copyPeers(document, to);
      }
      to.writeEndArray();
      to.writeEndObject();
    } catch (IOException e) {
      throw new IllegalStateException("a report can no longer be read", e);
    }
    return text.toString();
  }

  private static void copyFields(String document, JsonGenerator to) throws IOException {
    try (JsonParser from = JSON.createParser(document)) {
      from.nextToken();
      while (from.nextToken() == JsonToken.FIELD_NAME) {
        if (from.currentName().equals(PEERS)) {
          from.nextToken();
          from.skipChildren();
        } else {
          to.copyCurrentStructure(from);
        }
      }
    }
  }

  private static void copyPeers(String document, JsonGenerator to) throws IOException {
    try (JsonParser from = JSON.createParser(document)) {
      from.nextToken();
      while (from.nextToken() == JsonToken.FIELD_NAME) {
        boolean isPeers = from.currentName().equals(PEERS);
        from.nextToken();
        if (!isPeers || from.currentToken() != JsonToken.START_ARRAY) {
          from.skipChildren();
          continue;
        }
        while (from.nextToken() != JsonToken.END_ARRAY) {
          to.copyCurrentStructure(from);
        }
      }
    }
  }
}
