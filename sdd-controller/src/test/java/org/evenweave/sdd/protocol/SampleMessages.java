package org.evenweave.sdd.protocol;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.evenweave.sdd.protocol.wire.Clock;
import org.evenweave.sdd.protocol.wire.Discipline;
import org.evenweave.sdd.protocol.wire.Reason;
import org.evenweave.sdd.protocol.wire.SafePolicy;
import org.evenweave.sdd.protocol.wire.Status;
import org.evenweave.sdd.protocol.wire.TriggerTarget;

/**
 * At least one message of every kind, with values that no two fields share where that is possible.
 */
final class SampleMessages {
  static final long SESSION = 0x1122334455667788L;
  static final long NOW_NS = 1_700_000_000_123_456_789L;

  private SampleMessages() {}

  static byte[] key() {
    byte[] key = new byte[32];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (7 * i + 1);
    }
    return key;
  }

  static SessionTerms terms() {
    return new SessionTerms(
        Clock.TAI,
        NOW_NS - 5_000_000,
        1_500_000,
        20_000,
        4,
        3,
        SafePolicy.RATE,
        1_000_000_000,
        150_000);
  }

  static FlowMatch match() {
    try {
      return FlowMatch.all()
          .from(InetAddress.getByName("10.1.0.0"), 16)
          .to(InetAddress.getByName("2001:db8::5"), 128)
          .destinationPort(5201)
          .protocol(6);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  /** What clients send, by the name of its vector. */
  static Map<String, byte[]> ofClients() {
    Map<String, byte[]> samples = new LinkedHashMap<>();
    samples.put("hello-host", ClientFrames.hostHello("h1", 1, 10_000_000_000L, 7001, 5).bytes());
    samples.put("hello-switch", ClientFrames.switchHello("cs", "h0", "h1", "h2").bytes());
    samples.put(
        "demand-report",
        ClientFrames.demandReport(
                42,
                NOW_NS,
                1001,
                3,
                1,
                new long[] {0, 1500, 3000, 1501, 999},
                new long[] {7, 9, 8, 6})
            .bytes());
    samples.put("demand-report-empty", ClientFrames.demandReport(43, NOW_NS, 0, 0, 0).bytes());
    samples.put("clock-status", ClientFrames.clockStatus(NOW_NS, -250, 900, true).bytes());
    samples.put("queue-stats", ClientFrames.queueStats(12, NOW_NS, 2).bytes());
    samples.put(
        "trigger-fired", ClientFrames.triggerFired(3, 5, 0x0102030405060708L, NOW_NS).bytes());
    samples.put("missed", ClientFrames.missed(44, NOW_NS, new long[] {6, 5, 4, 70_000}).bytes());
    samples.put(
        "policy-changed", ClientFrames.policyChanged(NOW_NS, true, Reason.CONTROLLER_LOST).bytes());
    samples.put("reply", ClientFrames.reply(13, Status.OK, 0, 9, "", 4, 5).bytes());
    samples.put(
        "reply-condition",
        ClientFrames.reply(14, Status.CONDITION, 8, 0, "a number is missing \u2013 here").bytes());
    samples.put(
        "circuit-stats",
        ClientFrames.circuitStats(NOW_NS, 99, 2, new long[] {1, 10, 20, 30, 40, 50, 60, 70})
            .bytes());
    samples.put("following", ClientFrames.following(NOW_NS, true).bytes());
    samples.put("hello-edge", ClientFrames.edgeHello("e1").bytes());
    samples.put("edge-report", ClientFrames.edgeReport(2, 1, "{\"peers\":[]}").bytes());
    return samples;
  }

  /** What the edges' orders look like. */
  private static EdgeOrder edgeOrder() {
    ObjectNode json =
        JsonNodeFactory.instance.objectNode().put("scheme", "clove-ecn").put("reportMs", 500);
    ArrayNode prefixes = json.putArray("prefixes");
    prefixes
        .addObject()
        .put("prefix", "10.77.2.0/24")
        .put("scheme", "alb")
        .put("gapUs", 300)
        .put("gapAdaptPercent", 100)
        .put("rttUs", 80)
        .put("relayUs", 40)
        .put("metricAgeUs", 200);
    prefixes
        .addObject()
        .put("prefix", "2001:db8::/64")
        .put("scheme", "intflow")
        .putObject("intflow")
        .put("delayUs", 180)
        .put("windowUs", 4_000)
        .put("timeoutUs", 5_000)
        .put("settleUs", 400)
        .put("sizeBytes", 600_000);
    return EdgeOrder.of(json);
  }

  /** What the controller sends in sessions. */
  static Map<String, byte[]> ofController() {
    SlotBatch slots = new SlotBatch();
    slots.add(1, NOW_NS + 100, NOW_NS + 300_000);
    slots.add(2, NOW_NS + 320_000, NOW_NS + 900_000);
    String condition = "currTime - lastXmitTime >= 12us";
    Map<String, byte[]> samples = new LinkedHashMap<>();
    samples.put("welcome", ControllerMessages.welcome(SESSION, key(), 1, terms()).bytes());
    samples.put("leadership", ControllerMessages.leadership(NOW_NS).bytes());
    samples.put("refused", ControllerMessages.refused("there is no host \"x\"").bytes());
    samples.put(
        "create-queue",
        ControllerMessages.createQueue(
                15,
                3,
                QueueConfig.open()
                    .closedByDefault()
                    .priority(9)
                    .discipline(Discipline.ROUND_ROBIN)
                    .throughPacketSwitch()
                    .drainRateBps(250_000_000)
                    .maxBytes(4_000_000))
            .bytes());
    samples.put("remove-queue", ControllerMessages.removeQueue(16, 4).bytes());
    samples.put("map-flow", ControllerMessages.mapFlow(17, 5, match(), 6).bytes());
    samples.put("map-flow-all", ControllerMessages.mapFlow(18, 5, FlowMatch.all(), 0).bytes());
    samples.put("unmap-flow", ControllerMessages.unmapFlow(19, match()).bytes());
    samples.put("move-flows", ControllerMessages.moveFlows(20, 6, 7, match()).bytes());
    samples.put("get-queues-for-flows", ControllerMessages.getQueuesForFlows(21, match()).bytes());
    samples.put(
        "add-dequeue-condition", ControllerMessages.addDequeueCondition(22, 8, condition).bytes());
    samples.put(
        "remove-dequeue-condition",
        ControllerMessages.removeDequeueCondition(23, 8, condition).bytes());
    samples.put(
        "clear-dequeue-conditions", ControllerMessages.clearDequeueConditions(24, 8).bytes());
    samples.put("query-queues", ControllerMessages.queryQueues(25, 10, 20).bytes());
    samples.put(
        "add-trigger",
        ControllerMessages.addTrigger(26, 11, TriggerTarget.CONTROLLER, 77, "bytes > 100000")
            .bytes());
    samples.put("remove-trigger", ControllerMessages.removeTrigger(27, 3).bytes());
    samples.put("set-schedule", ControllerMessages.setSchedule(28, 45, slots).bytes());
    PacketSlotBatch packetSlots = new PacketSlotBatch();
    packetSlots.add(1, NOW_NS + 310_000, NOW_NS + 800_000, 25_000_000);
    packetSlots.add(3, NOW_NS, NOW_NS + 1_000_000, 7);
    samples.put("set-packet-slots", ControllerMessages.setPacketSlots(33, 45, packetSlots).bytes());
    samples.put("end-setup", ControllerMessages.endSetup(34).bytes());
    samples.put(
        "circuit-configure",
        ControllerMessages.circuitConfigure(29, NOW_NS, 20_000, new int[] {2, -1, 0}).bytes());
    samples.put("edge-order", EdgeMessages.order(30, edgeOrder()).bytes());
    samples.put("topology-changed", EdgeMessages.topologyChanged(31).bytes());
    EdgeWeights weights =
        new EdgeWeights(
            IpPrefix.of("10.77.2.0/24"),
            Map.of(IpAddress.of("100.64.0.1"), 1_000, IpAddress.of("2001:db8::7"), 999_000));
    samples.put("edge-weights", EdgeMessages.weights(32, weights).bytes());
    byte[] sent = "0123456789abcdef".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    EdgeKeys keys =
        new EdgeKeys()
            .add(IpAddress.of("192.0.2.2"), sent, new byte[16], sent)
            .add(IpAddress.of("2001:db8::2"), new byte[16], sent, sent);
    samples.put("edge-keys", EdgeMessages.keys(35, keys).bytes());
    return samples;
  }

  /** Datagrams, tags included, under {@link #key}; their sequences are 1, 2, 3. */
  static Map<String, byte[]> datagrams() {
    ControlPacket packet = new ControlPacket(SESSION, key());
    Map<String, byte[]> samples = new LinkedHashMap<>();
    samples.put("datagram-1-heartbeat", sealed(packet));
    packet.stop(2);
    packet.start(1, NOW_NS + 480_000);
    samples.put("datagram-2-start-stop", sealed(packet));
    packet.start(3, ControlPacket.FOREVER_NS);
    samples.put("datagram-3-start", sealed(packet));
    return samples;
  }

  private static byte[] sealed(ControlPacket packet) {
    int length = packet.seal(46, NOW_NS);
    return java.util.Arrays.copyOf(packet.bytes(), length);
  }
}
