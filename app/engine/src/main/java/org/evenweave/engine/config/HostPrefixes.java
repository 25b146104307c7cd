package org.evenweave.engine.config;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/** Refuses prefixes that cannot be those of hosts, and prefixes that overlap. */
final class HostPrefixes {
  /** Addresses of no host: RFC 1122 (this network, loopback), RFC 5771, RFC 919, RFC 1112. */
  private static final Map<Ipv4Prefix, String> UNUSABLE = new LinkedHashMap<>();

  static {
    UNUSABLE.put(Ipv4Prefix.parse("0.0.0.0/8"), "\"this network\"");
    UNUSABLE.put(Ipv4Prefix.parse("127.0.0.0/8"), "loopback");
    UNUSABLE.put(Ipv4Prefix.parse("224.0.0.0/4"), "multicast");
    UNUSABLE.put(Ipv4Prefix.parse("255.255.255.255/32"), "broadcast");
    UNUSABLE.put(Ipv4Prefix.parse("240.0.0.0/4"), "reserved");
  }

  private final TreeMap<Ipv4Prefix, Integer> numberOfPrefix = new TreeMap<>();

  /**
   * Takes the next prefix.
   *
   * @throws FabricException if it is none of hosts, has no address beside the gateway's, or
   *     overlaps one before
   */
  void add(String path, Ipv4Prefix prefix) {
    requireUsable(path, prefix);
    if (prefix.length() == 32) {
      throw new FabricException(
          path,
          prefix
              + " has a single address, which is its gateway's; give hosts a prefix of /31 or"
              + " shorter");
    }
    // Those before are disjoint, so only the neighbours by address can overlap.
    for (Map.Entry<Ipv4Prefix, Integer> neighbour :
        Arrays.asList(numberOfPrefix.lowerEntry(prefix), numberOfPrefix.higherEntry(prefix))) {
      if (neighbour != null && neighbour.getKey().overlaps(prefix)) {
        throw new FabricException(
            path,
            prefix
                + " overlaps "
                + neighbour.getKey()
                + " of subnets["
                + neighbour.getValue()
                + "]");
      }
    }
    numberOfPrefix.putIfAbsent(prefix, numberOfPrefix.size());
  }

  static void requireUsable(String path, Ipv4Prefix prefix) {
    if (prefix.length() == 0) {
      throw new FabricException(path, prefix + " is every address; give the prefix of the hosts");
    }
    UNUSABLE.forEach(
        (unusable, what) -> {
          if (unusable.overlaps(prefix)) {
            throw new FabricException(
                path, prefix + " holds addresses of no host: " + unusable + " is " + what);
          }
        });
  }
}
