package org.evenweave.sdd.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What share of the traffic to a prefix switches give each of their next hops: the prior of edges'
 * paths to hosts there. A path's weight is the product of the shares of the hops on it; a hop that
 * is not there has all of its switch's traffic. Immutable.
 */
public final class EdgeWeights {
  /** The share of a next hop that gets all. */
  public static final int ONE = 1_000_000;

  /** What an edge takes of one prefix, and how many prefixes. */
  public static final int MAX_HOPS = 256;

  public static final int MAX_PREFIXES = 256;

  private final int address;
  private final int bits;
  private final Map<Integer, Integer> shares;

  /**
   * @param address of the prefix, IPv4, without bits of hosts
   * @param bits 0 to 32
   * @param shares 1 to {@link #ONE}, by the IPv4 address that the hop answers probes with; at most
   *     {@link #MAX_HOPS}. None: nothing is known of the prefix any more
   */
  public EdgeWeights(int address, int bits, Map<Integer, Integer> shares) {
    if (shares.size() > MAX_HOPS) {
      throw new IllegalArgumentException("shares: are more than " + MAX_HOPS);
    }
    this.address = address;
    this.bits = bits;
    this.shares = Collections.unmodifiableMap(new TreeMap<>(shares));
  }

  /**
   * Those by prefix, as in 10.0.0.0/24, and hop. What edges would not take is left out: a prefix
   * with more than {@link #MAX_HOPS}, and those beyond {@link #MAX_PREFIXES}.
   *
   * @throws IllegalArgumentException "prefix: reason", "prefix: hop: reason"
   */
  public static List<EdgeWeights> of(SortedMap<String, Map<Integer, Integer>> shares) {
    List<EdgeWeights> found = new ArrayList<>();
    for (Map.Entry<String, Map<Integer, Integer>> entry : shares.entrySet()) {
      if (entry.getValue().size() <= MAX_HOPS && found.size() < MAX_PREFIXES) {
        String[] parts = entry.getKey().split("/", -1);
        int bits = parts.length == 2 && parts[1].matches("[0-9]{1,2}") ? number(parts[1]) : 33;
        int address = address(entry.getKey(), parts[0]);
        if (bits > 32 || (bits < 32 && address << bits != 0)) {
          throw new IllegalArgumentException(
              entry.getKey() + ": must be an IPv4 prefix without bits of hosts");
        }
        found.add(new EdgeWeights(address, bits, entry.getValue()));
      }
    }
    return found;
  }

  /**
   * Reads what {@link #json} writes.
   *
   * @throws IllegalArgumentException "prefix: reason"
   */
  public static List<EdgeWeights> of(JsonNode json) {
    SortedMap<String, Map<Integer, Integer>> shares = new TreeMap<>();
    if (!json.isObject()) {
      throw new IllegalArgumentException("must be an object");
    }
    json.fields()
        .forEachRemaining(
            prefix -> {
              Map<Integer, Integer> hops = new TreeMap<>();
              prefix
                  .getValue()
                  .fields()
                  .forEachRemaining(
                      hop -> hops.put(address(prefix.getKey(), hop.getKey()), share(prefix, hop)));
              if (hops.size() > MAX_HOPS) {
                throw new IllegalArgumentException(
                    prefix.getKey() + ": has more than " + MAX_HOPS + " hops");
              }
              shares.put(prefix.getKey(), hops);
            });
    if (shares.size() > MAX_PREFIXES) {
      throw new IllegalArgumentException("there are more than " + MAX_PREFIXES + " prefixes");
    }
    return of(shares);
  }

  private static int share(Map.Entry<String, JsonNode> prefix, Map.Entry<String, JsonNode> hop) {
    double share = hop.getValue().asDouble();
    if (!hop.getValue().isNumber() || !(share > 0 && share <= 1)) {
      throw new IllegalArgumentException(
          prefix.getKey() + ": " + hop.getKey() + ": must be above 0, up to 1");
    }
    return Math.max(1, (int) Math.round(share * ONE));
  }

  private static int address(String where, String text) {
    String[] octets = text.split("[.]", -1);
    int address = 0;
    for (String octet : octets) {
      if (octets.length != 4 || !octet.matches("[0-9]{1,3}") || number(octet) > 255) {
        throw new IllegalArgumentException(where + ": must have IPv4 addresses, not " + text);
      }
      address = address << 8 | number(octet);
    }
    return address;
  }

  private static int number(String digits) {
    return Integer.parseInt(digits);
  }

  /** {@code {"10.0.0.0/24": {"100.64.3.1": 0.75, ...}, ...}}: shares by prefix and hop. */
  public static ObjectNode json(List<EdgeWeights> weights) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    for (EdgeWeights prefix : weights) {
      ObjectNode hops = json.putObject(EdgeMessages.text(prefix.address) + "/" + prefix.bits);
      prefix.shares.forEach((hop, share) -> hops.put(EdgeMessages.text(hop), (double) share / ONE));
    }
    return json;
  }

  public int address() {
    return address;
  }

  public int bits() {
    return bits;
  }

  public Map<Integer, Integer> shares() {
    return shares;
  }

  /** The same prefix without weights. */
  public EdgeWeights none() {
    return new EdgeWeights(address, bits, Map.of());
  }

  /** Whether they are of one prefix, whatever the shares. */
  public boolean isSamePrefix(EdgeWeights other) {
    return address == other.address && bits == other.bits;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EdgeWeights
        && isSamePrefix((EdgeWeights) other)
        && shares.equals(((EdgeWeights) other).shares);
  }

  @Override
  public int hashCode() {
    return Objects.hash(address, bits, shares);
  }
}
