package org.evenweave.ovsdb;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLSocket;
import org.evenweave.tls.TlsIdentity;

/**
 * An OVSDB server on a port of this machine, with one bridge for each datapath id and interfaces by
 * datapath id and port. Sessions are up as soon as BFD is enabled.
 */
final class FakeOvsdb implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** BFD and marks by {@code datapathId/port}, which is the interface's uuid too. */
  final Map<String, Map<String, String>> bfd = new TreeMap<>();

  final Map<String, Map<String, String>> externalIds = new TreeMap<>();

  /** That of all bridges, as the column has it. */
  JsonNode failMode = JSON.getNodeFactory().textNode("secure");

  /** Controllers of bridges by datapath id: target, role, and whether it is connected. */
  final Map<Long, List<String[]>> controllers = new TreeMap<>();

  /** Transactions that changed something. */
  int changes;

  /** Whether transactions are refused. */
  boolean refusing;

  private final ServerSocket listening;
  private final Thread thread = new Thread(this::serve, "fake-ovsdb");

  /** Null to speak in the clear. */
  private final TlsIdentity identity;

  FakeOvsdb() throws IOException {
    this(null);
  }

  /** One that speaks TLS, where clients must show a certificate. */
  FakeOvsdb(TlsIdentity identity) throws IOException {
    this.identity = identity;
    listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    thread.setDaemon(true);
    thread.start();
  }

  String address() {
    return (identity == null ? "tcp" : "ssl") + ":127.0.0.1:" + listening.getLocalPort();
  }

  synchronized FakeOvsdb with(long datapathId, int... ports) {
    for (int port : ports) {
      bfd.put(datapathId + "/" + port, new TreeMap<>());
      externalIds.put(datapathId + "/" + port, new TreeMap<>());
    }
    return this;
  }

  private void serve() {
    while (!listening.isClosed()) {
      try (Socket client = secured(listening.accept())) {
        JsonParser requests =
            JSON.getFactory()
                .createParser(
                    new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
        // A server asks whether the client lives; its answer has no method.
        send(client, JSON.createObjectNode().put("id", "echo").put("method", "echo"));
        for (JsonNode r = JSON.readTree(requests); r != null; r = JSON.readTree(requests)) {
          if (r.has("method")) {
            send(client, answer(r));
          }
        }
      } catch (IOException e) {
        // The client or the test has closed its socket.
      }
    }
  }

  private Socket secured(Socket plain) throws IOException {
    if (identity == null) {
      return plain;
    }
    SSLSocket socket =
        (SSLSocket) identity.socketFactory().createSocket(plain, null, plain.getPort(), true);
    socket.setUseClientMode(false);
    socket.setNeedClientAuth(true);
    return socket;
  }

  private static void send(Socket client, JsonNode message) throws IOException {
    client.getOutputStream().write(message.toString().getBytes(StandardCharsets.UTF_8));
  }

  private synchronized ObjectNode answer(JsonNode request) {
    ObjectNode answer = JSON.createObjectNode();
    answer.set("id", request.get("id"));
    answer.putNull("error");
    ArrayNode results = answer.putArray("result");
    boolean changed = false;
    for (JsonNode operation : request.get("params")) {
      if (operation.path("op").asText().equals("select")) {
        results.addObject().set("rows", rows(operation.get("table").asText()));
      } else if (operation.isObject() && refusing) {
        results.addObject().put("error", "not allowed");
      } else if (operation.isObject()) {
        String uuid = operation.at("/where/0/2/1").asText();
        operation.get("mutations").forEach(mutation -> mutate(uuid, mutation));
        results.addObject().put("count", 1);
        changed = true;
      }
    }
    changes += changed ? 1 : 0;
    return answer;
  }

  private ArrayNode rows(String table) {
    ArrayNode rows = JSON.createArrayNode();
    if (table.equals("Controller")) {
      controllers.values().forEach(all -> all.forEach(each -> rows.add(controller(each))));
      return rows;
    }
    for (String id : bfd.keySet()) {
      String datapath = id.substring(0, id.indexOf('/'));
      ObjectNode row = rows.addObject();
      if (table.equals("Bridge")) {
        row.put("datapath_id", String.format(Locale.ROOT, "%016x", Long.parseLong(datapath)));
        row.set("fail_mode", failMode);
        ArrayNode uuids = row.putArray("controller").add("set").addArray();
        for (String[] each : controllers.getOrDefault(Long.parseLong(datapath), List.of())) {
          uuids.addArray().add("uuid").add(each[0] + " of it");
        }
        row.putArray("ports").add("set").addArray().addArray().add("uuid").add("port " + id);
      } else if (table.equals("Port")) {
        row.putArray("_uuid").add("uuid").add("port " + id);
        row.putArray("interfaces").add("uuid").add(id);
      } else {
        row.putArray("_uuid").add("uuid").add(id);
        row.put("ofport", Integer.parseInt(id.substring(id.indexOf('/') + 1)));
        row.set("bfd", map(bfd.get(id)));
        row.set("external_ids", map(externalIds.get(id)));
        boolean up = "true".equals(bfd.get(id).get("enable"));
        row.set("bfd_status", map(up ? Map.of("state", "up") : Map.of()));
      }
    }
    return rows;
  }

  private static ObjectNode controller(String[] of) {
    ObjectNode row = JSON.createObjectNode().put("target", of[0]).put("role", of[1]);
    row.put("is_connected", Boolean.parseBoolean(of[2]));
    row.putArray("_uuid").add("uuid").add(of[0] + " of it");
    return row;
  }

  private static ArrayNode map(Map<String, String> pairs) {
    ArrayNode map = JSON.createArrayNode().add("map");
    ArrayNode entries = map.addArray();
    pairs.forEach((key, value) -> entries.addArray().add(key).add(value));
    return map;
  }

  /** As the RFC has it: an insertion does not overwrite. */
  private void mutate(String uuid, JsonNode mutation) {
    Map<String, String> column =
        (mutation.get(0).asText().equals("bfd") ? bfd : externalIds).get(uuid);
    for (JsonNode element : mutation.at("/2/1")) {
      if (mutation.get(1).asText().equals("delete")) {
        column.remove(element.asText());
      } else {
        column.putIfAbsent(element.get(0).asText(), element.get(1).asText());
      }
    }
  }

  /** Returns when no client can connect any more: one may be accepted while the socket closes. */
  @Override
  public void close() throws IOException {
    listening.close();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
