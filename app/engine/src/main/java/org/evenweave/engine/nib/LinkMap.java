package org.evenweave.engine.nib;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * Which port is connected to which, from what is configured and what probes find. Ports are written
 * {@code switch/port}.
 *
 * <p>Where links are configured, only they carry traffic, each while probes pass between its ends,
 * or while it is trusted ({@link Trust}). Every other pair of ports that probes pass between is an
 * {@link UnexpectedLink}: a wrong connection, or hosts that relay probes; their ports stay edge
 * ports. Where links are discovered, any pair is a link, and of pairs that share a port the one
 * that was found first.
 */
final class LinkMap {
  private final Probes probes = new Probes();
  private final Trust trust = new Trust();
  private final Map<String, String> configuredPeerOf = new HashMap<>();
  private final Map<String, Long> configuredCapacityBps = new HashMap<>();
  private boolean discovered;
  private List<UnexpectedLink> unexpected;

  void configure(EngineConfig config) {
    discovered = config.linksDiscovered();
    configuredPeerOf.clear();
    configuredCapacityBps.clear();
    Fabric fabric = config.intended();
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      configuredCapacityBps.put(fabric.end(arc), fabric.capacityBps(arc));
      if (!discovered) {
        configuredPeerOf.put(fabric.end(arc), fabric.end(arc ^ 1));
      }
    }
    for (LinkNumbering.Link link : trust.links()) {
      if (!discovered && !link.b.equals(configuredPeerOf.get(link.a))) {
        trust.remove(link.a);
      }
    }
    unexpected = null;
  }

  /** Returns whether this was not known. */
  boolean seen(String from, String to) {
    boolean isNew = probes.seen(from, to);
    boolean confirmed = trust.contains(from, to) && probes.join(from, to) && trust.remove(from);
    return changed(isNew || confirmed);
  }

  /** Returns whether this was known. */
  boolean lost(String from, String to) {
    boolean distrusted = trust.contains(from, to) && trust.remove(from);
    return changed(probes.lost(from, to) || distrusted);
  }

  private boolean changed(boolean changed) {
    unexpected = changed ? null : unexpected;
    return changed;
  }

  /** Probes from a port and to it are not known any more, nor is its link trusted. */
  void forget(String end) {
    probes.forget(end);
    trust.remove(end);
    unexpected = null;
  }

  /** Probes at a port cannot be seen for some time; its link is trusted. */
  void lostSightOf(String end) {
    String peer = peerOf(end);
    probes.forget(end);
    unexpected = null;
    if (peer != null) {
      trust.add(end, peer);
    }
  }

  /** A rule uses the link that is configured at this port. */
  void trust(String end) {
    if (peerOf(end) == null) {
      trust.add(end, configuredPeerOf.get(end));
    }
  }

  Trust trusted() {
    return trust;
  }

  /** The port that is configured at the other end of this port's link, or null. */
  String configuredPeerOf(String end) {
    return configuredPeerOf.get(end);
  }

  /** The ports of a switch that probes leave by or arrive at. */
  Set<String> endsOf(String switchId) {
    return probes.endsOf(switchId);
  }

  /** Whether the port may have hosts: it is no end of a link. */
  boolean isEdge(String end) {
    return discovered
        ? !probes.passes(end) && trust.peerOf(end) == null
        : !configuredPeerOf.containsKey(end);
  }

  /** The port at the other end of this port's link, while that carries traffic, or null. */
  String peerOf(String end) {
    String trustedPeer = trust.peerOf(end);
    if (trustedPeer != null) {
      return trustedPeer;
    }
    if (!discovered) {
      String peer = configuredPeerOf.get(end);
      return peer != null && probes.join(end, peer) ? peer : null;
    }
    String peer = firstJoined(end);
    return peer != null && end.equals(firstJoined(peer)) ? peer : null;
  }

  private String firstJoined(String end) {
    for (String to : probes.arrivalsOf(end)) {
      if (probes.join(end, to)) {
        return to;
      }
    }
    return null;
  }

  /** All ports that may be an end of a link that carries traffic, in order. */
  Set<String> ends() {
    Set<String> ends = new TreeSet<>(probes.ends());
    trust.links().forEach(link -> ends.add(link.a));
    return ends;
  }

  /** The configured capacity of the link at this port, or null. */
  Long configuredCapacityBps(String end) {
    return configuredCapacityBps.get(end);
  }

  /** What probes find and the configuration does not have; the same list until it changes. */
  List<UnexpectedLink> unexpected() {
    if (unexpected == null) {
      List<UnexpectedLink> found = new ArrayList<>();
      if (!discovered) {
        probes.ends().forEach(end -> addUnexpected(end, found));
      }
      unexpected = List.copyOf(found);
    }
    return unexpected;
  }

  private void addUnexpected(String end, List<UnexpectedLink> found) {
    for (String to : probes.arrivalsOf(end)) {
      boolean isUnexpected = end.compareTo(to) < 0 && !to.equals(configuredPeerOf.get(end));
      if (isUnexpected && probes.join(end, to)) {
        found.add(new UnexpectedLink(end, to, configuredPeerOf.get(end), configuredPeerOf.get(to)));
      }
    }
  }
}
