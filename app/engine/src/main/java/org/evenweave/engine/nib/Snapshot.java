package org.evenweave.engine.nib;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * The network at one moment, immutable. Everything downstream of the NIB works on one of these.
 *
 * <p>Its fabrics number more than there is: switches that are not {@link #isPresent present} have
 * no link that is up, and links that are not there are down. So most snapshots number alike, and
 * what was computed for one can be carried over to the next.
 */
public final class Snapshot {
  private final long version;
  private final Fabric fabric;
  private final Fabric physical;
  private final BitSet present;
  private final Hosts hosts;

  /** Hosts, by rising address; shared by snapshots between which no host came or went. */
  static final class Hosts {
    final List<Host> all;
    final Map<String, List<Host>> bySwitch = new LinkedHashMap<>();

    Hosts(Iterable<Host> hosts) {
      List<Host> list = new ArrayList<>();
      for (Host host : hosts) {
        list.add(host);
        bySwitch.computeIfAbsent(host.switchId(), id -> new ArrayList<>()).add(host);
      }
      all = Collections.unmodifiableList(list);
    }
  }

  /** A fabric of which everything is there. */
  public Snapshot(long version, Fabric fabric, List<Host> hosts) {
    this(version, fabric, fabric, all(fabric), new Hosts(hosts));
  }

  Snapshot(long version, Fabric fabric, Fabric physical, BitSet present, Hosts hosts) {
    this.version = version;
    this.fabric = fabric;
    this.physical = physical;
    this.present = present;
    this.hosts = hosts;
  }

  private static BitSet all(Fabric fabric) {
    BitSet switches = new BitSet();
    switches.set(0, fabric.switchCount());
    return switches;
  }

  /** Rises with every change. */
  public long version() {
    return version;
  }

  /** What may carry traffic: links that carry packets both ways and are not excluded. */
  public Fabric fabric() {
    return fabric;
  }

  /** What can carry packets: the same with excluded links and switches, in the same numbering. */
  public Fabric physical() {
    return physical;
  }

  /** Whether the switch can be programmed. */
  public boolean isPresent(int s) {
    return present.get(s);
  }

  boolean hasPresent(BitSet switches) {
    return present.equals(switches);
  }

  /** Whether a switch of this id can be programmed. */
  public boolean isPresent(String switchId) {
    int s = fabric.indexOf(switchId);
    return s >= 0 && present.get(s);
  }

  /** The switches that can be programmed, by number. */
  public List<String> switchIds() {
    List<String> ids = new ArrayList<>(present.cardinality());
    present.stream().forEach(s -> ids.add(fabric.switchId(s)));
    return ids;
  }

  /** How many links carry packets both ways, excluded or not. */
  public int linkCount() {
    int count = 0;
    for (int link = 0; link < physical.linkCount(); link++) {
      count += physical.isUp(link) ? 1 : 0;
    }
    return count;
  }

  /** All hosts, by rising address. */
  public List<Host> hosts() {
    return hosts.all;
  }

  /** The hosts under one switch, by rising address. */
  public List<Host> hostsAt(String switchId) {
    return Collections.unmodifiableList(hosts.bySwitch.getOrDefault(switchId, List.of()));
  }
}
