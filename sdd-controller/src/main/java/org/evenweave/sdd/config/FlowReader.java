package org.evenweave.sdd.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Set;
import org.evenweave.sdd.protocol.FlowMatch;

/**
 * Reads a description of flows, such as {@code {"protocol": 6, "source": "10.0.1.0/24",
 * "sourcePort": 5201, "destinationPort": 80}}; an absent field matches any value.
 */
final class FlowReader {
  /** TCP, UDP, DCCP, SCTP and UDP-Lite: those of which hosts read ports. */
  private static final Set<Integer> PROTOCOLS_WITH_PORTS = Set.of(6, 17, 33, 132, 136);

  private FlowReader() {}

  /**
   * @param flow valid by the schema
   * @param path where it is, for errors
   */
  static FlowMatch flow(JsonNode flow, String path) throws SddConfigException {
    FlowMatch match = FlowMatch.all();
    if (flow.has("protocol")) {
      int protocol = flow.get("protocol").intValue();
      requirePorts(flow, protocol, path);
      match = match.protocol(protocol);
    }
    if (flow.has("source")) {
      match = from(match, flow.get("source").textValue(), path + ".source");
    }
    if (flow.has("sourcePort")) {
      match = match.sourcePort(flow.get("sourcePort").intValue());
    }
    if (flow.has("destinationPort")) {
      match = match.destinationPort(flow.get("destinationPort").intValue());
    }
    return match;
  }

  private static void requirePorts(JsonNode flow, int protocol, String path)
      throws SddConfigException {
    for (String port : new String[] {"sourcePort", "destinationPort"}) {
      if (flow.has(port) && !PROTOCOLS_WITH_PORTS.contains(protocol)) {
        throw new SddConfigException(
            path + "." + port,
            "protocol " + protocol + " has no ports; 6, 17, 33, 132 and 136 have");
      }
    }
  }

  /**
   * @param prefix an address or a prefix; the schema has seen to it that it is no name
   */
  private static FlowMatch from(FlowMatch match, String prefix, String path)
      throws SddConfigException {
    int slash = prefix.indexOf('/');
    try {
      InetAddress address = InetAddress.getByName(slash < 0 ? prefix : prefix.substring(0, slash));
      byte[] bytes = address.getAddress();
      int most = Byte.SIZE * bytes.length;
      int bits = slash < 0 ? most : Integer.parseInt(prefix.substring(slash + 1));
      if (bits <= most && !hasBitsBehind(bytes, bits)) {
        return match.from(address, bits);
      }
    } catch (UnknownHostException e) {
      // As wrong as a prefix that is too long.
    }
    throw new SddConfigException(
        path, "must be an address, or a prefix without bits of hosts, not \"" + prefix + "\"");
  }

  private static boolean hasBitsBehind(byte[] address, int bits) {
    for (int bit = bits; bit < Byte.SIZE * address.length; bit++) {
      if ((address[bit / Byte.SIZE] >> (Byte.SIZE - 1 - bit % Byte.SIZE) & 1) != 0) {
        return true;
      }
    }
    return false;
  }
}
