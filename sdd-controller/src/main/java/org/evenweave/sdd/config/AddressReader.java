package org.evenweave.sdd.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.sdd.protocol.IpAddress;
import org.evenweave.sdd.protocol.IpPrefix;

/**
 * Reads the addresses that hosts may have, such as {@code [{"host": "h0", "prefixes": ["10.0.0.1",
 * "10.0.1.0/24"]}]}.
 */
final class AddressReader {
  private AddressReader() {}

  /**
   * @param addresses valid by the schema, or missing
   * @param hosts all hosts' names
   * @throws SddConfigException if one is no host's, or two hosts' would overlap; names the field
   */
  static Map<String, List<IpPrefix>> read(JsonNode addresses, List<String> hosts)
      throws SddConfigException {
    Map<String, List<IpPrefix>> byHost = new LinkedHashMap<>();
    for (JsonNode row : addresses) {
      String at = "addresses[" + byHost.size() + "]";
      String name = row.get("host").textValue();
      if (!hosts.contains(name) || byHost.containsKey(name)) {
        throw new SddConfigException(
            at + ".host", "\"" + name + "\" is not in hosts, or is listed twice");
      }
      List<IpPrefix> prefixes = new ArrayList<>();
      for (JsonNode text : row.get("prefixes")) {
        String path = at + ".prefixes[" + prefixes.size() + "]";
        IpPrefix prefix = prefix(text.textValue(), path);
        for (Map.Entry<String, List<IpPrefix>> other : byHost.entrySet()) {
          if (other.getValue().stream().anyMatch(each -> overlap(each, prefix))) {
            throw new SddConfigException(path, prefix + " is " + other.getKey() + "'s, too");
          }
        }
        prefixes.add(prefix);
      }
      byHost.put(name, prefixes);
    }
    return byHost;
  }

  /**
   * Reads the outer addresses of edges, such as {@code [{"host": "e1", "address": "192.0.2.1"}]}.
   *
   * @param addresses valid by the schema, or missing
   * @param edges all edges' names
   * @throws SddConfigException if one is no edge's, or no host's address, or occurs twice
   */
  static Map<String, IpAddress> edges(JsonNode addresses, List<String> edges)
      throws SddConfigException {
    Map<String, IpAddress> byName = new LinkedHashMap<>();
    for (JsonNode row : addresses) {
      String at = "edge.addresses[" + byName.size() + "]";
      String name = row.get("host").textValue();
      if (!edges.contains(name) || byName.containsKey(name)) {
        throw new SddConfigException(
            at + ".host", "\"" + name + "\" is not in edge.hosts, or is listed twice");
      }
      IpAddress address = address(row.get("address").textValue(), at + ".address");
      if (byName.containsValue(address)) {
        throw new SddConfigException(at + ".address", address + " is listed already");
      }
      byName.put(name, address);
    }
    return byName;
  }

  private static IpAddress address(String text, String path) throws SddConfigException {
    try {
      IpAddress address = IpAddress.of(text);
      if (IpPrefix.of(text + (text.contains(":") ? "/128" : "/32")).isOfHosts()) {
        return address;
      }
    } catch (IllegalArgumentException e) {
      // The same line, whatever the error.
    }
    throw new SddConfigException(path, "must be an address of a host, not \"" + text + "\"");
  }

  private static IpPrefix prefix(String text, String path) throws SddConfigException {
    try {
      IpPrefix prefix =
          IpPrefix.of(text.contains("/") ? text : text + (text.contains(":") ? "/128" : "/32"));
      if (prefix.isOfHosts()) {
        return prefix;
      }
    } catch (IllegalArgumentException e) {
      // The same line, whatever the error.
    }
    throw new SddConfigException(
        path,
        "must be an address of a host, or a prefix without bits of hosts, not \"" + text + "\"");
  }

  private static boolean overlap(IpPrefix one, IpPrefix other) {
    return one.contains(other) || other.contains(one);
  }
}
