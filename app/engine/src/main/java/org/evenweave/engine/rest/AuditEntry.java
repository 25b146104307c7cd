package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;

/** The JSON by which an audit log describes a request: from where, what, and the result. */
public final class AuditEntry {
  /** A body that is longer is given as its SHA-256. */
  private static final int MAX_BODY_BYTES = 1024;

  private AuditEntry() {}

  /**
   * The fields of every request.
   *
   * @param from address of the client
   * @param uri as it was requested, with its query
   * @param status of HTTP
   */
  public static ObjectNode of(String from, String method, String uri, int status) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("from", from)
        .put("method", method)
        .put("uri", uri)
        .put("status", status);
  }

  /** Adds the body of a request to its entry; an empty one has no field. */
  public static void addBody(ObjectNode entry, ByteBuffer body) {
    int length = body.remaining();
    if (length == 0) {
      return;
    }
    if (length <= MAX_BODY_BYTES) {
      entry.put("body", StandardCharsets.UTF_8.decode(body.duplicate()).toString());
      return;
    }
    entry.put("bodyBytes", length);
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      sha256.update(body.duplicate());
      StringBuilder hash = new StringBuilder();
      for (byte octet : sha256.digest()) {
        hash.append(String.format(Locale.ROOT, "%02x", octet));
      }
      entry.put("bodySha256", hash.toString());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
