package org.evenweave.sdd.protocol;

import java.util.Map;
import org.evenweave.sdd.protocol.wire.EdgeOrderEncoder;
import org.evenweave.sdd.protocol.wire.EdgeWeightsEncoder;
import org.evenweave.sdd.protocol.wire.TopologyChangedEncoder;

/** Encodes the controller's messages to the edges of hosts. */
public final class EdgeMessages {
  private EdgeMessages() {}

  /** What all of an edge's peers are to do; it takes the place of the order before. */
  public static Frame order(long requestId, EdgeOrder order) {
    Frame frame = new Frame();
    EdgeOrderEncoder message =
        new EdgeOrderEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message.requestId(requestId).reportMs(order.reportMs());
    EdgeOrderEncoder.PrefixesEncoder rows = message.prefixesCount(order.prefixes().size());
    for (EdgeOrder.Prefix prefix : order.prefixes()) {
      rows.next().bits((short) prefix.bits()).scheme(prefix.scheme()).gapNs(prefix.gapNs());
      byte[] address = prefix.mappedAddress();
      for (int i = 0; i < address.length; i++) {
        rows.address(i, (short) (address[i] & 0xff));
      }
    }
    return frame.of(message.encodedLength());
  }

  /** The weights to a prefix; they take the place of those before. */
  public static Frame weights(long requestId, EdgeWeights weights) {
    Frame frame = new Frame();
    EdgeWeightsEncoder message =
        new EdgeWeightsEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message.requestId(requestId).bits((short) weights.bits());
    byte[] prefix = mapped(weights.address());
    for (int i = 0; i < prefix.length; i++) {
      message.address(i, (short) (prefix[i] & 0xff));
    }
    EdgeWeightsEncoder.HopsEncoder hops = message.hopsCount(weights.shares().size());
    for (Map.Entry<Integer, Integer> share : weights.shares().entrySet()) {
      hops.next().share(share.getValue());
      byte[] hop = mapped(share.getKey());
      for (int i = 0; i < hop.length; i++) {
        hops.address(i, (short) (hop[i] & 0xff));
      }
    }
    return frame.of(message.encodedLength());
  }

  /** An IPv4 address as IPv6 has it (RFC 4291, section 2.5.5.2). */
  static byte[] mapped(int address) {
    byte[] mapped = new byte[16];
    mapped[10] = (byte) 0xff;
    mapped[11] = (byte) 0xff;
    for (int i = 0; i < 4; i++) {
      mapped[12 + i] = (byte) (address >>> (24 - 8 * i));
    }
    return mapped;
  }

  /** An IPv4 address as people write it. */
  static String text(int address) {
    return (address >>> 24)
        + "."
        + (address >>> 16 & 0xff)
        + "."
        + (address >>> 8 & 0xff)
        + "."
        + (address & 0xff);
  }

  /** Something in the fabric has changed: the edge discovers its paths anew. */
  public static Frame topologyChanged(long requestId) {
    Frame frame = new Frame();
    TopologyChangedEncoder message =
        new TopologyChangedEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message.requestId(requestId);
    return frame.of(message.encodedLength());
  }
}
