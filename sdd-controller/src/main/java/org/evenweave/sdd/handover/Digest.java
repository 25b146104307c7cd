package org.evenweave.sdd.handover;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** A canonical digest of JSON documents: equal for equal values, however they are written. */
public final class Digest {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  private Digest() {}

  /** SHA-256, as Base64. */
  public static String of(JsonNode... documents) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (JsonNode document : documents) {
        digest.update(text(document).getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
      }
      return Base64.getEncoder().withoutPadding().encodeToString(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A document with the fields of its objects in order. */
  static String text(JsonNode document) {
    try {
      return JSON.writeValueAsString(JSON.treeToValue(document, Object.class));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
