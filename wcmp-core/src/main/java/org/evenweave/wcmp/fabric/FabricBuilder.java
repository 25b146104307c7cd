package org.evenweave.wcmp.fabric;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.evenweave.wcmp.realisation.SwitchTarget;

/**
 * Collects a fabric piece by piece and refuses what cannot be true. Errors name the piece as in the
 * fabric's JSON: {@code switches[i]}, {@code links[i]}, {@code subnets[i]}, i counted from 0.
 */
public final class FabricBuilder {
  /** Goes into LLDP, log lines, command lines and URIs as it is; LLDP holds 255 bytes. */
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@+-]{0,254}");

  final List<String> switchIds = new ArrayList<>();
  final Map<String, Integer> indexOfId = new HashMap<>();
  final List<Integer> stages = new ArrayList<>();
  final List<Limits> limits = new ArrayList<>();
  final List<SwitchTarget> targets = new ArrayList<>();
  final List<LeaveOut> leaveOut = new ArrayList<>();
  final List<Integer> arcFrom = new ArrayList<>();
  final List<Integer> arcPort = new ArrayList<>();
  final List<Long> linkCapacityBps = new ArrayList<>();
  final List<Integer> subnetSwitch = new ArrayList<>();
  final List<Ipv4Prefix> subnetPrefix = new ArrayList<>();

  private final Map<Ipv4Prefix, Integer> numberOfPrefix = new HashMap<>();
  private final Set<SwitchPort> usedEnds = new HashSet<>();

  /** A switch that says itself how it holds groups; see the other {@code addSwitch}. */
  public FabricBuilder addSwitch(String id, int stage, int entries) {
    return addSwitch(id, stage, entries, null);
  }

  /**
   * @param stage 1 for S1, 2 for S2, ...
   * @param entries multipath table entries, at least 1, or {@link Fabric#UNLIMITED}
   * @param target how it holds groups, or null where the switch says so itself
   */
  public FabricBuilder addSwitch(String id, int stage, int entries, SwitchTarget target) {
    return addSwitch(id, stage, entries, target, null);
  }

  /**
   * @param mayLeaveOut whether its groups may leave ports out, or null as in the rest of the fabric
   */
  public FabricBuilder addSwitch(
      String id, int stage, int entries, SwitchTarget target, LeaveOut mayLeaveOut) {
    if (entries < 1) {
      throw new FabricException(
          "switches[" + switchIds.size() + "].table", "must be at least 1 entry, not " + entries);
    }
    return addSwitch(id, stage, Limits.ofEntries(entries), target, mayLeaveOut);
  }

  /**
   * @param ofTables how much the switch's tables hold
   */
  public FabricBuilder addSwitch(
      String id, int stage, Limits ofTables, SwitchTarget target, LeaveOut mayLeaveOut) {
    String path = "switches[" + switchIds.size() + "]";
    if (!ID.matcher(id).matches()) {
      throw new FabricException(
          path + ".id",
          "must be 1 to 255 letters, digits and . _ : @ + -, the first a letter or digit"
              + shown(id));
    }
    if (stage < 1) {
      throw new FabricException(path + ".stage", "must be at least 1, not " + stage);
    }
    if (indexOfId.putIfAbsent(id, switchIds.size()) != null) {
      throw new FabricException(path + ".id", "\"" + id + "\" is the id of another switch too");
    }
    switchIds.add(id);
    stages.add(stage);
    limits.add(ofTables);
    targets.add(target);
    leaveOut.add(mayLeaveOut);
    return this;
  }

  /**
   * Adds a duplex link from text, as JSON has it.
   *
   * @param a one end, as {@link SwitchPort#parse} reads it
   * @param b the other end
   * @param capacityBps bits per second in each direction, positive
   */
  public FabricBuilder addLink(String a, String b, long capacityBps) {
    String path = nextLink();
    return addLink(endOf(path + ".a", a), endOf(path + ".b", b), capacityBps);
  }

  /**
   * Adds a duplex link.
   *
   * @param a one end, its port number at least 1
   * @param b the other end
   * @param capacityBps bits per second in each direction, positive
   */
  public FabricBuilder addLink(SwitchPort a, SwitchPort b, long capacityBps) {
    String path = nextLink();
    int switchA = switchOf(path + ".a", a);
    int switchB = switchOf(path + ".b", b);
    if (switchA == switchB) {
      throw new FabricException(path, "both ends are on switch \"" + a.switchId() + "\"");
    }
    checkCapacity(path, capacityBps);
    claim(path + ".a", a);
    claim(path + ".b", b);
    arcFrom.add(switchA);
    arcFrom.add(switchB);
    arcPort.add(a.number());
    arcPort.add(b.number());
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

  private String nextLink() {
    return "links[" + linkCapacityBps.size() + "]";
  }

  private void claim(String path, SwitchPort end) {
    if (!usedEnds.add(end)) {
      throw new FabricException(path, "port " + end + " has another link already");
    }
  }

  private static SwitchPort endOf(String path, String text) {
    try {
      return SwitchPort.parse(text);
    } catch (IllegalArgumentException e) {
      throw new FabricException(path, e.getMessage());
    }
  }

  private int switchOf(String path, SwitchPort end) {
    Integer index = indexOfId.get(end.switchId());
    if (index == null) {
      throw new FabricException(path, "no switch \"" + end.switchId() + "\" in switches");
    }
    if (end.number() < 1) {
      throw new FabricException(path, "must have a port from 1, not " + end.number());
    }
    return index;
  }
}
