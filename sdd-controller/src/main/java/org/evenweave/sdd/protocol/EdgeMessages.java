package org.evenweave.sdd.protocol;

import java.util.Map;
import org.evenweave.sdd.protocol.wire.EdgeKeysEncoder;
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
      put(prefix, rows.next());
    }
    return frame.of(message.encodedLength());
  }

  private static void put(EdgeOrder.Prefix prefix, EdgeOrderEncoder.PrefixesEncoder row) {
    byte[] address = prefix.prefix().address().mapped();
    for (int i = 0; i < address.length; i++) {
      row.address(i, (short) (address[i] & 0xff));
    }
    row.bits((short) prefix.prefix().bits())
        .scheme(prefix.scheme())
        .gapNs(prefix.parameter(EdgeParameter.GAP, 0))
        .gapAdaptPercent(
            (int)
                prefix.parameter(
                    EdgeParameter.GAP_ADAPT,
                    EdgeOrderEncoder.PrefixesEncoder.gapAdaptPercentNullValue()))
        .rttNs(ns(prefix, EdgeParameter.RTT))
        .relayNs(ns(prefix, EdgeParameter.RELAY))
        .delayNs(ns(prefix, EdgeParameter.INTFLOW_DELAY))
        .windowNs(ns(prefix, EdgeParameter.INTFLOW_WINDOW))
        .timeoutNs(ns(prefix, EdgeParameter.INTFLOW_TIMEOUT))
        .sizeBytes(
            prefix.parameter(
                EdgeParameter.INTFLOW_SIZE, EdgeOrderEncoder.PrefixesEncoder.sizeBytesNullValue()))
        .metricAgeNs(ns(prefix, EdgeParameter.METRIC_AGE))
        .settleNs(ns(prefix, EdgeParameter.INTFLOW_SETTLE));
  }

  /** All of these have the same null. */
  private static long ns(EdgeOrder.Prefix prefix, EdgeParameter time) {
    return prefix.parameter(time, EdgeOrderEncoder.PrefixesEncoder.rttNsNullValue());
  }

  /** The weights to a prefix; they take the place of those before. */
  public static Frame weights(long requestId, EdgeWeights weights) {
    Frame frame = new Frame();
    EdgeWeightsEncoder message =
        new EdgeWeightsEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message.requestId(requestId).bits((short) weights.prefix().bits());
    byte[] prefix = weights.prefix().address().mapped();
    for (int i = 0; i < prefix.length; i++) {
      message.address(i, (short) (prefix[i] & 0xff));
    }
    EdgeWeightsEncoder.HopsEncoder hops = message.hopsCount(weights.shares().size());
    for (Map.Entry<IpAddress, Integer> share : weights.shares().entrySet()) {
      hops.next().share(share.getValue());
      byte[] hop = share.getKey().mapped();
      for (int i = 0; i < hop.length; i++) {
        hops.address(i, (short) (hop[i] & 0xff));
      }
    }
    return frame.of(message.encodedLength());
  }

  /** The keys for some peers; those of other peers stay. */
  public static Frame keys(long requestId, EdgeKeys keys) {
    Frame frame = new Frame();
    EdgeKeysEncoder message =
        new EdgeKeysEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    EdgeKeysEncoder.PeersEncoder rows =
        message.requestId(requestId).peersCount(keys.peers().size());
    for (EdgeKeys.Peer peer : keys.peers()) {
      rows.next();
      byte[] address = peer.address.mapped();
      for (int i = 0; i < address.length; i++) {
        rows.address(i, (short) (address[i] & 0xff));
      }
      for (int i = 0; i < EdgeKeys.KEY_BYTES; i++) {
        rows.sent(i, (short) (peer.sent[i] & 0xff))
            .accepted(i, (short) (peer.accepted[i] & 0xff))
            .alsoAccepted(i, (short) (peer.alsoAccepted[i] & 0xff));
      }
    }
    return frame.of(message.encodedLength());
  }

  /** Something in the fabric has changed: the edge discovers its paths again. */
  public static Frame topologyChanged(long requestId) {
    Frame frame = new Frame();
    TopologyChangedEncoder message =
        new TopologyChangedEncoder().wrapAndApplyHeader(frame.buffer(), 0, Frame.header());
    message.requestId(requestId);
    return frame.of(message.encodedLength());
  }
}
