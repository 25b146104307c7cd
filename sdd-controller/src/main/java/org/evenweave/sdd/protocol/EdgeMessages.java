package org.evenweave.sdd.protocol;

import org.evenweave.sdd.protocol.wire.EdgeOrderEncoder;
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

  /** Something in the fabric has changed: the edge discovers its paths anew. */
  public static Frame topologyChanged(long requestId) {
    Frame frame = new Frame();
    TopologyChangedEncoder message =
        new TopologyChangedEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message.requestId(requestId);
    return frame.of(message.encodedLength());
  }
}
