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
 * The share of the traffic to a prefix that switches give each of their next hops: the prior of
 * edges' paths to hosts in it. A path's weight is the product of the shares of the hops on it; a
 * hop that is not there has all of its switch's traffic. Immutable.
 */
public final class EdgeWeights {
  /** The share of a next hop that gets all. */
  public static final int ONE = 1_000_000;

  /** What an edge takes of one prefix, and how many prefixes. */
  public static final int MAX_HOPS = 256;

  public static final int MAX_PREFIXES = 256;

  private final IpPrefix prefix;
  private final SortedMap<IpAddress, Integer> shares;

  /**
   * @param shares 1 to {@link #ONE}, by the address that the hop answers probes with; at most
   *     {@link #MAX_HOPS}. None: nothing is known of the prefix any more
   */
  public EdgeWeights(IpPrefix prefix, Map<IpAddress, Integer> shares) {
    if (shares.size() > MAX_HOPS) {
      throw new IllegalArgumentException("shares: are more than " + MAX_HOPS);
    }
    this.prefix = prefix;
    this.shares = Collections.unmodifiableSortedMap(new TreeMap<>(shares));
  }

  /**
   * Those of a fabric by prefix, as in 10.0.0.0/24, and the hop's IPv4 address. What edges would
   * not take is left out: a prefix with more than {@link #MAX_HOPS}, and those beyond {@link
   * #MAX_PREFIXES}.
   */
  public static List<EdgeWeights> of(SortedMap<String, Map<Integer, Integer>> shares) {
    List<EdgeWeights> found = new ArrayList<>();
    for (Map.Entry<String, Map<Integer, Integer>> entry : shares.entrySet()) {
      if (entry.getValue().size() <= MAX_HOPS && found.size() < MAX_PREFIXES) {
        Map<IpAddress, Integer> hops = new TreeMap<>();
        entry.getValue().forEach((hop, share) -> hops.put(IpAddress.ofIpv4(hop), share));
        found.add(new EdgeWeights(IpPrefix.of(entry.getKey()), hops));
      }
    }
    return found;
  }

  /** The document is not of the form that is described; the addresses in it are another matter. */
  public static final class FormException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    FormException(String message) {
      super(message);
    }
  }

  /**
   * Reads what {@link #json} writes.
   *
   * @throws IllegalArgumentException "prefix: reason"
   */
  public static List<EdgeWeights> of(JsonNode json) {
    requireForm(json);
    List<EdgeWeights> found = new ArrayList<>();
    json.fields()
        .forEachRemaining(
            prefix -> {
              EdgeWeights read = of(prefix);
              if (found.stream().anyMatch(read::isSamePrefix)) {
                throw new IllegalArgumentException(prefix.getKey() + ": is listed already");
              }
              found.add(read);
            });
    return found;
  }

  private static void requireForm(JsonNode json) {
    if (!json.isObject()) {
      throw new FormException("must be an object");
    }
    if (json.size() > MAX_PREFIXES) {
      throw new FormException("there are more than " + MAX_PREFIXES + " prefixes");
    }
    json.fields().forEachRemaining(EdgeWeights::requireForm);
  }

  private static void requireForm(Map.Entry<String, JsonNode> prefix) {
    if (!prefix.getValue().isObject()) {
      throw new FormException(prefix.getKey() + ": must be an object");
    }
    if (prefix.getValue().size() > MAX_HOPS) {
      throw new FormException(prefix.getKey() + ": has more than " + MAX_HOPS + " hops");
    }
    prefix
        .getValue()
        .fields()
        .forEachRemaining(
            hop -> {
              double share = hop.getValue().asDouble();
              if (!hop.getValue().isNumber() || !(share > 0 && share <= 1)) {
                throw new FormException(
                    prefix.getKey() + ": " + hop.getKey() + ": must be above 0, up to 1");
              }
            });
  }

  private static EdgeWeights of(Map.Entry<String, JsonNode> prefix) {
    Map<IpAddress, Integer> hops = new TreeMap<>();
    try {
      prefix
          .getValue()
          .fields()
          .forEachRemaining(
              hop -> {
                int share = Math.max(1, (int) Math.round(hop.getValue().asDouble() * ONE));
                if (hops.put(IpAddress.of(hop.getKey()), share) != null) {
                  throw new IllegalArgumentException(hop.getKey() + ": is listed already");
                }
              });
      return new EdgeWeights(IpPrefix.of(prefix.getKey()), hops);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(prefix.getKey() + ": " + e.getMessage(), e);
    }
  }

  /** {@code {"10.0.0.0/24": {"100.64.3.1": 0.75, ...}, ...}}: shares by prefix and hop. */
  public static ObjectNode json(List<EdgeWeights> weights) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    for (EdgeWeights one : weights) {
      ObjectNode hops = json.putObject(one.prefix.toString());
      one.shares.forEach((hop, share) -> hops.put(hop.toString(), (double) share / ONE));
    }
    return json;
  }

  public IpPrefix prefix() {
    return prefix;
  }

  public SortedMap<IpAddress, Integer> shares() {
    return shares;
  }

  /** The same prefix without weights. */
  public EdgeWeights none() {
    return new EdgeWeights(prefix, Map.of());
  }

  /** Whether they are of one prefix, whatever the shares. */
  public boolean isSamePrefix(EdgeWeights other) {
    return prefix.equals(other.prefix);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EdgeWeights
        && isSamePrefix((EdgeWeights) other)
        && shares.equals(((EdgeWeights) other).shares);
  }

  @Override
  public int hashCode() {
    return Objects.hash(prefix, shares);
  }
}
