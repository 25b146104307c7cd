package org.evenweave.ovsdb;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A connection to an OVSDB server for transactions on Open vSwitch's database (RFC 7047, section
 * 4.1.3): JSON-RPC 1.0 over TCP or TLS, one request at a time. Not for several threads.
 */
final class OvsdbClient implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DATABASE = "Open_vSwitch";

  private final OvsdbTls tls;
  private final Socket socket;
  private final JsonParser answers;
  private int lastId;

  /**
   * Connects.
   *
   * @param server as in {@code tcp:127.0.0.1:6640}
   * @param tls opens the connection
   */
  OvsdbClient(String server, OvsdbTls tls) throws IOException {
    this.tls = tls;
    socket = tls.connect(server);
    try {
      // Of a stream of bytes the parser would read the first few at once, to tell its encoding.
      answers =
          JSON.getFactory()
              .createParser(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Carries out operations, all or none.
   *
   * @return the result of each
   * @throws OvsdbException if the server refuses it, or its certificate is revoked now
   */
  JsonNode transact(ArrayNode operations) throws IOException {
    tls.check(socket);
    int id = ++lastId;
    ObjectNode request = JSON.createObjectNode().put("id", id).put("method", "transact");
    request.putArray("params").add(DATABASE).addAll(operations);
    write(request);
    JsonNode answer = answerTo(id);
    JsonNode refused = answer.path("error");
    for (JsonNode result : answer.path("result")) {
      refused = result.hasNonNull("error") ? result : refused;
    }
    if (!answer.path("result").isArray() || !refused.isNull()) {
      throw new OvsdbException("refused: " + refused);
    }
    return answer.get("result");
  }

  /** The answer with an id; the server's own requests, by which it sees us live, are answered. */
  private JsonNode answerTo(int id) throws IOException {
    while (true) {
      JsonNode message = JSON.readTree(answers);
      if (message == null) {
        throw new OvsdbException("the server has closed the connection");
      }
      if (message.path("method").asText().equals("echo")) {
        ObjectNode echo = JSON.createObjectNode();
        echo.set("id", message.path("id"));
        echo.set("result", message.path("params"));
        echo.putNull("error");
        write(echo);
      } else if (message.path("id").asInt() == id) {
        return message;
      }
    }
  }

  private void write(ObjectNode message) throws IOException {
    socket.getOutputStream().write(message.toString().getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
