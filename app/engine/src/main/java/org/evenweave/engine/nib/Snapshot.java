package org.evenweave.engine.nib;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * The network at one moment, immutable. Everything downstream of the NIB takes one as its input.
 *
 * <p>Its fabrics number more than there is: switches that do not {@link #forwards forward} have no
 * link that is up, and links that are not there are down. So most snapshots number alike, and what
 * was computed for one can be carried over to the next.
 */
public final class Snapshot {
  private final long version;
  private final Fabric fabric;
  private final Fabric physical;
  private final BitSet present;
  private final BitSet held;
  private final Hosts hosts;
  private final PortGuards guards;
  private final Unverified unverified;
  private final List<String> dampedLinks;
  private final List<String> avoidedLinks;

  /** A fabric of which everything is there. */
  public Snapshot(long version, Fabric fabric, List<Host> hosts) {
    this(
        version,
        fabric,
        fabric,
        all(fabric),
        new BitSet(),
        Hosts.of(hosts),
        PortGuards.NONE,
        Unverified.NOTHING,
        List.of(),
        List.of());
  }

  Snapshot(
      long version,
      Fabric fabric,
      Fabric physical,
      BitSet present,
      BitSet held,
      Hosts hosts,
      PortGuards guards,
      Unverified unverified,
      List<String> dampedLinks,
      List<String> avoidedLinks) {
    this.version = version;
    this.fabric = fabric;
    this.physical = physical;
    this.present = present;
    this.held = held;
    this.hosts = hosts;
    this.guards = guards;
    this.unverified = unverified;
    this.dampedLinks = dampedLinks;
    this.avoidedLinks = avoidedLinks;
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

  /**
   * What may carry traffic: links that carry packets both ways, are not excluded, and are neither
   * {@link #dampedLinks} nor {@link #avoidedLinks}.
   */
  public Fabric fabric() {
    return fabric;
  }

  /**
   * What can carry packets: the same with links and switches that are excluded, and links that are
   * damped or avoided, in the same numbering.
   */
  public Fabric physical() {
    return physical;
  }

  /** How many switches can be programmed. */
  public int presentCount() {
    return present.cardinality();
  }

  /** Whether the switch can be programmed. */
  public boolean isPresent(int s) {
    return present.get(s);
  }

  /**
   * Whether the switch takes part in forwarding: it is present, or it is held, which means that it
   * goes on with the tables it has although it cannot be programmed now.
   */
  public boolean forwards(int s) {
    return present.get(s) || held.get(s);
  }

  /**
   * Whether packets can pass the switch: it is present, or it is held and has a link that is up.
   * One that is held without such a link may have lost its power.
   */
  public boolean canForward(int s) {
    return present.get(s) || (held.get(s) && physical.outDegree(s) > 0);
  }

  /** The switches that forward and cannot be programmed now, by number. */
  public BitSet held() {
    return (BitSet) held.clone();
  }

  /** The same as if the switches that are held could be programmed. */
  public Snapshot withHeldPresent() {
    BitSet both = (BitSet) present.clone();
    both.or(held);
    return new Snapshot(
        version,
        fabric,
        physical,
        both,
        new BitSet(),
        hosts,
        guards,
        unverified,
        dampedLinks,
        avoidedLinks);
  }

  /**
   * The network as it would be with other links and without some switches; all else is as it is.
   *
   * @param newFabric what may carry traffic then; numbers the switches as {@link #fabric} does
   * @param newPhysical what can carry packets then, in the numbering of {@code newFabric}
   * @param gone switches that forward no more, by number
   */
  public Snapshot supposing(Fabric newFabric, Fabric newPhysical, BitSet gone) {
    BitSet stillPresent = (BitSet) present.clone();
    BitSet stillHeld = (BitSet) held.clone();
    stillPresent.andNot(gone);
    stillHeld.andNot(gone);
    return new Snapshot(
        version,
        newFabric,
        newPhysical,
        stillPresent,
        stillHeld,
        hosts,
        guards,
        unverified,
        dampedLinks,
        avoidedLinks);
  }

  /**
   * The network as it would be without guards at some switches, which are excluded, and at some
   * ports, which are ends of links.
   */
  public Snapshot unguarded(Collection<String> excluded, Collection<SwitchPort> linkEnds) {
    Map<String, PortGuard> others = new HashMap<>();
    for (SwitchPort end : linkEnds) {
      PortGuard before = others.getOrDefault(end.switchId(), guardAt(end.switchId()));
      others.put(end.switchId(), before.without(end.number()));
    }
    excluded.forEach(id -> others.put(id, PortGuard.NONE));
    return new Snapshot(
        version,
        fabric,
        physical,
        present,
        held,
        hosts,
        guards.with(others),
        unverified,
        dampedLinks,
        avoidedLinks);
  }

  /** Whether the same switches can be programmed as in another snapshot, numbered alike. */
  public boolean hasSwitchesOf(Snapshot other) {
    return present.equals(other.present) && fabric.hasNumberingOf(other.fabric);
  }

  boolean hasSwitches(BitSet nowPresent, BitSet nowHeld) {
    return present.equals(nowPresent) && held.equals(nowHeld);
  }

  /** The switches under which other hosts are, or were, than in another snapshot. */
  public Set<String> switchesWithOtherHosts(Snapshot before) {
    return hosts.switchesChangedSince(before.hosts);
  }

  /** The switches whose ports are guarded in another way than in another snapshot. */
  public Set<String> switchesWithOtherGuards(Snapshot before) {
    return guards.switchesChangedSince(before.guards);
  }

  /** Which sources may send at the ports of a switch. */
  public PortGuard guardAt(String switchId) {
    return guards.at(switchId);
  }

  PortGuards guards() {
    return guards;
  }

  Hosts hostTable() {
    return hosts;
  }

  Unverified unverified() {
    return unverified;
  }

  /** Whether a switch of this id can be programmed. */
  public boolean isPresent(String switchId) {
    int s = fabric.indexOf(switchId);
    return s >= 0 && present.get(s);
  }

  /** Whether a configured switch is connected, or packets may pass it although it is not. */
  public boolean isInUse(String switchId) {
    int s = fabric.indexOf(switchId);
    return s >= 0 && (canForward(s) || !unverified.missingSwitches.contains(switchId));
  }

  /** The switches that can be programmed, by number. */
  public List<String> switchIds() {
    return idsOf(present);
  }

  /** The switches that can be programmed, and those that are held, by number. */
  public List<String> forwardingIds() {
    return withHeldPresent().switchIds();
  }

  private List<String> idsOf(BitSet switches) {
    List<String> ids = new ArrayList<>(switches.cardinality());
    switches.stream().forEach(s -> ids.add(fabric.switchId(s)));
    return ids;
  }

  /** The configured switches that are not connected. */
  public List<String> missingSwitches() {
    return unverified.missingSwitches;
  }

  /**
   * Links that carry traffic although probes have not confirmed them since one of their switches
   * connected, or because one of them is not connected. Each as {@code s1-0/1-s2-0/1}.
   */
  public List<String> trustedLinks() {
    return unverified.trustedLinks;
  }

  /** Of the {@link #trustedLinks}, those that probes will confirm or not in some rounds. */
  public List<String> unprovenLinks() {
    return unverified.unprovenLinks;
  }

  /**
   * Switches that rules which were installed before the engine started send to, and that have not
   * been read yet. While there are any, the engine keeps to what is installed.
   */
  public List<String> awaitedSwitches() {
    return unverified.awaitedSwitches;
  }

  /** Ports that such rules send to and whose link has not been found yet; the same holds. */
  public Set<SwitchPort> awaitedPorts() {
    return unverified.awaitedPorts;
  }

  /**
   * Links that are up and carry no traffic, because they have failed too often of late. Each as
   * {@code s1-0/1-s2-0/1}.
   */
  public List<String> dampedLinks() {
    return dampedLinks;
  }

  /**
   * Links that are up and carry no traffic, because they lose packets: all too many, or those of
   * the full size. Each as {@code s1-0/1-s2-0/1}.
   */
  public List<String> avoidedLinks() {
    return avoidedLinks;
  }

  /** The links that are up here and not in another snapshot, by number in {@link #physical}. */
  public IntStream linksOnlyUpHere(Snapshot other) {
    if (physical.hasNumberingOf(other.physical)) {
      return Arrays.stream(physical.linksChangedSince(other.physical))
          .filter(link -> physical.isUp(link) && !other.physical.isUp(link));
    }
    Set<String> there = new HashSet<>();
    for (int link = 0; link < other.physical.linkCount(); link++) {
      if (other.physical.isUp(link)) {
        there.add(other.physical.linkName(link));
      }
    }
    return IntStream.range(0, physical.linkCount())
        .filter(link -> physical.isUp(link) && !there.contains(physical.linkName(link)));
  }

  /** Links that probes find and that are not configured; they carry nothing. */
  public List<UnexpectedLink> unexpectedLinks() {
    return unverified.unexpectedLinks;
  }

  /** Whether switches and links are as in another snapshot; hosts may differ. */
  public boolean hasNetworkOf(Snapshot other) {
    return fabric == other.fabric
        && physical == other.physical
        && present.equals(other.present)
        && held.equals(other.held)
        && unverified.equals(other.unverified)
        && dampedLinks.equals(other.dampedLinks)
        && avoidedLinks.equals(other.avoidedLinks);
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
    return hosts.all();
  }

  /** The hosts under one switch, by rising address. */
  public List<Host> hostsAt(String switchId) {
    return hosts.at(switchId);
  }
}
