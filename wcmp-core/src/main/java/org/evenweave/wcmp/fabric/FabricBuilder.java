package org.evenweave.wcmp.fabric;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Collects a fabric piece by piece and refuses what cannot be true. Errors name the piece as in the
 * fabric's JSON: {@code switches[i]}, {@code links[i]}, {@code subnets[i]}, i counted from 0.
 */
public final class FabricBuilder {
  /** Goes into LLDP, log lines, command lines and URIs as it is; LLDP holds 255 bytes. */
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@+-]{0,254}");

  private static final Pattern PORT = Pattern.compile("[1-9]\\d{0,8}");

  final List<String> switchIds = new ArrayList<>();
  final Map<String, Integer> indexOfId = new HashMap<>();
  final List<Integer> stages = new ArrayList<>();
  final List<Integer> tableEntries = new ArrayList<>();
  final List<Integer> arcFrom = new ArrayList<>();
  final List<Integer> arcPort = new ArrayList<>();
  final List<Long> linkCapacityBps = new ArrayList<>();
  final List<Integer> subnetSwitch = new ArrayList<>();
  final List<Ipv4Prefix> subnetPrefix = new ArrayList<>();

  private final Map<Ipv4Prefix, Integer> numberOfPrefix = new HashMap<>();
  private final Set<String> usedEnds = new HashSet<>();

  /**
   * @param stage 1 for S1, 2 for S2, ...
   * @param entries multipath table entries, at least 1, or {@link Fabric#UNLIMITED}
   */
  public FabricBuilder addSwitch(String id, int stage, int entries) {
    String path = "switches[" + switchIds.size() + "]";
    if (!ID.matcher(id).matches()) {
      throw new FabricException(
          path + ".id",
          "must be 1 to 255 letters, digits and . _ : @ + - and begin with a letter or digit"
              + shown(id));
    }
    if (stage < 1) {
      throw new FabricException(path + ".stage", "must be at least 1, not " + stage);
    }
    if (entries < 1) {
      throw new FabricException(path + ".table", "must be at least 1 entry, not " + entries);
    }
    if (indexOfId.putIfAbsent(id, switchIds.size()) != null) {
      throw new FabricException(path + ".id", "\"" + id + "\" is the id of another switch too");
    }
    switchIds.add(id);
    stages.add(stage);
    tableEntries.add(entries);
    return this;
  }

  /**
   * Adds a duplex link.
   *
   * @param a one end, as {@code switch/port}, port from 1
   * @param b the other end
   * @param capacityBps bits per second in each direction, positive
   */
  public FabricBuilder addLink(String a, String b, long capacityBps) {
    String path = "links[" + linkCapacityBps.size() + "]";
    int switchA = switchOf(path + ".a", a);
    int portA = portOf(path + ".a", a);
    int switchB = switchOf(path + ".b", b);
    int portB = portOf(path + ".b", b);
    if (switchA == switchB) {
      throw new FabricException(path, "both ends are on switch \"" + switchIds.get(switchA) + "\"");
    }
    checkCapacity(path, capacityBps);
    claim(path + ".a", a);
    claim(path + ".b", b);
    arcFrom.add(switchA);
    arcFrom.add(switchB);
    arcPort.add(portA);
    arcPort.add(portB);
    linkCapacityBps.add(capacityBps);
    return this;
  }

  /** Adds a prefix whose hosts are under this switch. */
  public FabricBuilder addSubnet(String switchId, Ipv4Prefix prefix) {
    String path = "subnets[" + subnetPrefix.size() + "]";
    Integer index = indexOfId.get(switchId);
    if (index == null) {
      throw new FabricException(path + ".switch", "no switch \"" + switchId + "\" in switches");
    }
    Integer other = numberOfPrefix.putIfAbsent(prefix, subnetPrefix.size());
    if (other != null) {
      throw new FabricException(
          path + ".prefix", prefix + " is the prefix of subnets[" + other + "] too");
    }
    subnetSwitch.add(index);
    subnetPrefix.add(prefix);
    return this;
  }

  /** The value at the end of a message, unless it would garble a log line. */
  private static String shown(String value) {
    boolean printable = value.length() <= 60 && value.chars().allMatch(c -> c >= ' ' && c < 0x7f);
    return printable ? ", not \"" + value + "\"" : "";
  }

  public Fabric build() {
    return new Fabric(this);
  }

  static void checkCapacity(String path, long capacityBps) {
    if (capacityBps <= 0) {
      throw new FabricException(
          path + ".bps", "must be a positive number of bits per second, not " + capacityBps);
    }
  }

  private void claim(String path, String end) {
    if (!usedEnds.add(end)) {
      throw new FabricException(path, "port " + end + " has another link already");
    }
  }

  private int switchOf(String path, String end) {
    int slash = end.lastIndexOf('/');
    Integer index = indexOfId.get(slash < 0 ? end : end.substring(0, slash));
    if (index == null) {
      throw new FabricException(
          path, "no switch \"" + (slash < 0 ? end : end.substring(0, slash)) + "\" in switches");
    }
    return index;
  }

  private static int portOf(String path, String end) {
    String port = end.substring(end.lastIndexOf('/') + 1);
    if (end.indexOf('/') < 0 || !PORT.matcher(port).matches()) {
      throw new FabricException(
          path, "must be switch/port with a port from 1, not \"" + end + "\"");
    }
    return Integer.parseInt(port);
  }
}
