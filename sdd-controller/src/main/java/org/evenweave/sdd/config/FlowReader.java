package org.evenweave.sdd.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.evenweave.sdd.protocol.FlowMatch;

/**
 * Reads which flows, as in {@code {"protocol": 6, "source": "10.0.1.0/24", "sourcePort": 5201,
 * "destinationPort": 80}}; what is not there is any.
 */
final class FlowReader {
  private FlowReader() {}

  /**
   * @param flow valid by the schema
   * @param path where it is, for errors
   */
  static FlowMatch flow(JsonNode flow, String path) throws SddConfigException {
    FlowMatch match = FlowMatch.all();
    if (flow.has("protocol")) {
      match = match.protocol(flow.get("protocol").intValue());
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
