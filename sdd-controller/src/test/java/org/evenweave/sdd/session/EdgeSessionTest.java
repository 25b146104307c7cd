package org.evenweave.sdd.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.evenweave.sdd.protocol.ClientFrames;
import org.evenweave.sdd.protocol.EdgeOrder;
import org.evenweave.sdd.protocol.EdgeWeights;
import org.evenweave.sdd.protocol.ProtocolException;
import org.evenweave.sdd.protocol.wire.EdgeKeysDecoder;
import org.evenweave.sdd.protocol.wire.EdgeOrderDecoder;
import org.evenweave.sdd.protocol.wire.EdgeWeightsDecoder;
import org.evenweave.sdd.protocol.wire.RefusedDecoder;
import org.evenweave.sdd.protocol.wire.Status;
import org.evenweave.sdd.protocol.wire.TopologyChangedDecoder;
import org.evenweave.sdd.protocol.wire.WelcomeDecoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The edges of hosts: admitted, ordered, heard. */
class EdgeSessionTest {
  @TempDir Path temporary;

  private static long requestId(FakeClient.Message message) {
    return message.buffer.getLong(message.at.bodyOffset(), java.nio.ByteOrder.LITTLE_ENDIAN);
  }

  private static FakeClient connected(SessionBed bed) throws Exception {
    FakeClient client = bed.greeting("h0", ClientFrames.edgeHello("h0"));
    assertEquals(WelcomeDecoder.TEMPLATE_ID, client.receive().template);
    SessionBed.await("session", () -> bed.edges.session("h0") != null);
    return client;
  }

  @Test
  void anEdgeGetsTheOrderAndEachOneAfterIt() throws Exception {
    try (SessionBed bed = new SessionBed(temporary);
        FakeClient client = connected(bed)) {
      FakeClient.Message first = client.receive();
      assertEquals(EdgeOrderDecoder.TEMPLATE_ID, first.template);
      client.send(ClientFrames.reply(requestId(first), Status.OK, 0, 0, ""));
      EdgeSession session = bed.edges.session("h0");
      SessionBed.await("order in force", () -> session.orderState().equals("in-force"));

      ObjectNode order = JsonNodeFactory.instance.objectNode().put("scheme", "alb");
      bed.edges.order(EdgeOrder.of(order));
      FakeClient.Message second = client.receive();
      assertEquals(EdgeOrderDecoder.TEMPLATE_ID, second.template);
      client.send(ClientFrames.reply(requestId(second), Status.ARGUMENT, 0, 0, "prefixes[0]: no"));
      SessionBed.await("order refused", () -> session.orderState().equals("refused"));
      assertEquals("h0: ARGUMENT: prefixes[0]: no", session.orderProblem());

      bed.edges.topologyChanged();
      assertEquals(TopologyChangedDecoder.TEMPLATE_ID, client.receive().template);
    }
  }

  private static EdgeWeights weights(String prefix, Map<Integer, Integer> shares) {
    return EdgeWeights.of(new TreeMap<>(Map.of(prefix, shares))).get(0);
  }

  private static String weights(FakeClient.Message message) {
    EdgeWeightsDecoder decoder =
        new EdgeWeightsDecoder()
            .wrap(
                message.buffer,
                message.at.bodyOffset(),
                message.at.blockLength(),
                EdgeWeightsDecoder.SCHEMA_VERSION);
    StringBuilder text = new StringBuilder();
    text.append(decoder.address(14)).append('/').append(decoder.bits());
    decoder
        .hops()
        .forEach(hop -> text.append(' ').append(hop.address(15)).append('=').append(hop.share()));
    return text.toString();
  }

  @Test
  void anEdgeGetsTheWeightsAndThenWhatDiffers() throws Exception {
    EdgeWeights first = weights("10.0.1.0/24", Map.of(1, 250_000, 2, 750_000));
    EdgeWeights second = weights("10.0.2.0/24", Map.of(3, 1));
    try (SessionBed bed = new SessionBed(temporary)) {
      bed.edges.weights(List.of(first, second));
      try (FakeClient client = connected(bed)) {
        assertEquals(EdgeOrderDecoder.TEMPLATE_ID, client.receive().template);
        assertEquals("1/24 1=250000 2=750000", weights(client.receive()));
        assertEquals("2/24 3=1", weights(client.receive()));
        bed.edges.weights(List.of(first, weights("10.0.3.0/24", Map.of(4, 7))));
        assertEquals("2/24", weights(client.receive()));
        assertEquals("3/24 4=7", weights(client.receive()));
      }
    }
  }

  /** The last byte of each peer's address, and the first of each key. */
  private static String keys(FakeClient.Message message) {
    assertEquals(EdgeKeysDecoder.TEMPLATE_ID, message.template);
    EdgeKeysDecoder decoder =
        new EdgeKeysDecoder()
            .wrap(
                message.buffer,
                message.at.bodyOffset(),
                message.at.blockLength(),
                EdgeKeysDecoder.SCHEMA_VERSION);
    StringBuilder text = new StringBuilder();
    decoder
        .peers()
        .forEach(
            peer ->
                text.append(peer.address(15))
                    .append(' ')
                    .append(Integer.toHexString(peer.sent(0)))
                    .append(' ')
                    .append(peer.accepted(0) == peer.alsoAccepted(0)));
    return text.toString();
  }

  /** h0's edge is at 192.0.2.1, h1's at 192.0.2.2. */
  @Test
  void anEdgeGetsTheKeysThatItSharesWithOthersAndNewOnes() throws Exception {
    String one = "00112233445566778899aabbccddeeff".repeat(2);
    Path file = temporary.resolve(EdgeSecrets.FILE);
    Files.writeString(file, one + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    try (SessionBed bed = new SessionBed(temporary)) {
      bed.edges.secrets(EdgeSecrets.read(temporary));
      try (FakeClient client = connected(bed)) {
        assertEquals(EdgeOrderDecoder.TEMPLATE_ID, client.receive().template);
        assertEquals("2 df true", keys(client.receive()));
        Files.writeString(file, one + "\n" + one.replace('0', '1') + "\n");
        bed.edges.secrets(EdgeSecrets.read(temporary));
        assertEquals("2 df false", keys(client.receive()));
      }
    }
  }

  @Test
  void anOrderIsInForceOnceTheEdgeHasAnsweredTheNewestOne() throws Exception {
    try (SessionBed bed = new SessionBed(temporary);
        FakeClient client = connected(bed)) {
      FakeClient.Message first = client.receive();
      EdgeSession session = bed.edges.session("h0");
      bed.edges.order(EdgeOrder.of(JsonNodeFactory.instance.objectNode().put("scheme", "alb")));
      FakeClient.Message second = client.receive();

      client.send(ClientFrames.reply(requestId(first), Status.OK, 0, 0, ""));
      // Read after the reply, since both come by one connection.
      client.send(ClientFrames.edgeReport(1, 0, "{\"peers\":[1]}"));
      SessionBed.await("report", () -> !session.documents().isEmpty());
      assertEquals("waiting", session.orderState());

      client.send(ClientFrames.reply(requestId(second), Status.OK, 0, 0, ""));
      SessionBed.await("order in force", () -> session.orderState().equals("in-force"));
    }
  }

  @Test
  void anOrderIsNotInForceWhereTheEdgeIsNotOnItsDevice() throws Exception {
    try (SessionBed bed = new SessionBed(temporary);
        FakeClient client = connected(bed)) {
      long id = requestId(client.receive());
      EdgeSession session = bed.edges.session("h0");
      client.send(ClientFrames.edgeReport(2, 0, "{\"attached\":true,\"peers\":[1]}"));
      client.send(ClientFrames.edgeReport(2, 1, "{\"attached\":false,\"peers\":[2]}"));
      SessionBed.await("reports", () -> session.documents().size() == 2);
      assertEquals("waiting", session.orderState());
      client.send(ClientFrames.reply(id, Status.OK, 0, 0, ""));
      SessionBed.await("detached", () -> session.orderState().equals("detached"));
      assertTrue(session.orderProblem().contains("filters"), session.orderProblem());
      client.send(ClientFrames.edgeReport(2, 1, "{\"attached\":true,\"peers\":[2]}"));
      SessionBed.await("order in force", () -> session.orderState().equals("in-force"));
      assertEquals("", session.orderProblem());
    }
  }

  @Test
  void theLastReportOfEachPeerIsKeptAndThoseOfPeersThatAreGoneAreNot() throws Exception {
    try (SessionBed bed = new SessionBed(temporary);
        FakeClient client = connected(bed)) {
      client.send(ClientFrames.edgeReport(2, 0, "{\"peers\":[1]}"));
      client.send(ClientFrames.edgeReport(2, 1, "{\"peers\":[2]}"));
      SessionBed.await("both peers", () -> bed.edges.session("h0").documents().size() == 2);
      client.send(ClientFrames.edgeReport(1, 0, "{\"peers\":[3]}"));
      SessionBed.await("one peer", () -> bed.edges.session("h0").documents().size() == 1);
      SessionBed.await(
          "its new report",
          () -> bed.edges.session("h0").documents().toString().equals("[{\"peers\":[3]}]"));
    }
  }

  @Test
  void aReportThatIsNestedTooDeeplyEndsTheSession() throws Exception {
    try (SessionBed bed = new SessionBed(temporary);
        FakeClient client = connected(bed)) {
      client.send(ClientFrames.edgeReport(1, 0, "[".repeat(20_000)));
      SessionBed.await("session ended", () -> bed.edges.session("h0") == null);
    }
  }

  /** As a tree it would be twenty times as large. */
  @Test
  void aReportOfManyPeersEndsTheSession() throws Exception {
    try (SessionBed bed = new SessionBed(temporary);
        FakeClient client = connected(bed)) {
      client.send(ClientFrames.edgeReport(1, 0, "{\"peers\":[" + "[],".repeat(20_000) + "[]]}"));
      SessionBed.await("session ended", () -> bed.edges.session("h0") == null);
    }
  }

  @Test
  void reportsAreHeldInSoManyBytesAtMost() throws Exception {
    EdgeReports reports = new EdgeReports(1_000);
    String document = "{\"peers\":[\"" + "x".repeat(286) + "\"]}";
    for (int peer = 0; peer < 3; peer++) {
      assertTrue(reports.add(peer, 1_024, document));
    }
    assertFalse(reports.add(3, 1_024, document));
    assertEquals(3, reports.count());
    assertEquals(1, reports.leftOut());
    assertEquals(3 * 300, reports.bytes());
    assertTrue(reports.add(2, 1_024, "{\"peers\":[2]}"));
    assertTrue(reports.add(0, 2, "{\"peers\":[0]}"));
    assertEquals(2, reports.count());
    assertEquals(300 + 13, reports.bytes());
  }

  @Test
  void onlyOneObjectWithOnePeerIsAReport() {
    EdgeReports reports = new EdgeReports(1_000);
    for (String wrong :
        List.of(
            "",
            "7",
            "[]",
            "{}",
            "{\"peers\":{}}",
            "{\"peers\":[]}",
            "{\"peers\":[1,2]}",
            "{\"peers\":[1]}{}",
            "{\"peers\":[1]} x",
            "{\"peers\":[1],\"peers\":[2]}")) {
      assertThrows(ProtocolException.class, () -> reports.add(0, 1, wrong), wrong);
    }
    assertEquals(0, reports.bytes());
  }

  @Test
  void anEdgeThatIsNotConfiguredIsRefused() throws Exception {
    try (SessionBed bed = new SessionBed(temporary);
        FakeClient client = bed.greeting("h1", ClientFrames.edgeHello("h1"))) {
      assertEquals(RefusedDecoder.TEMPLATE_ID, client.receive().template);
    }
  }
}
