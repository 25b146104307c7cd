package org.evenweave.engine.nib;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Maps each port to its peer, from the configuration and from probes.
 *
 * <p>Where links are configured, only they carry traffic, each while probes pass between its ends,
 * or while it is trusted ({@link TrustedLinks}). Every other pair of ports that probes pass between
 * is an {@link UnexpectedLink}: a wrong connection, or hosts that relay probes; their ports stay
 * edge ports. Where links are discovered, any pair is a link, and of pairs that share a port the
 * one that was found first.
 */
final class LinkMap {
  private final Probes probes = new Probes();
  private final TrustedLinks trusted = new TrustedLinks();
  private final Map<SwitchPort, SwitchPort> configuredPeerOf = new HashMap<>();
  private final Map<SwitchPort, Long> configuredCapacityBps = new HashMap<>();
  private final SortedMap<LinkNumbering.Link, UnexpectedLink> unexpectedLinks = new TreeMap<>();
  private boolean discovered;
  private Predicate<String> renamed = switchId -> false;

  /** The same in a list, if made since they changed. */
  private List<UnexpectedLink> unexpected;

  void configure(EngineConfig config) {
    discovered = config.linksDiscovered();
    renamed = config::renames;
    configuredPeerOf.clear();
    configuredCapacityBps.clear();
    Fabric fabric = config.intended();
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      configuredCapacityBps.put(fabric.end(arc), fabric.capacityBps(arc));
      if (!discovered) {
        configuredPeerOf.put(fabric.end(arc), fabric.end(arc ^ 1));
      }
    }
    for (LinkNumbering.Link link : trusted.links()) {
      if (!discovered && !link.b.equals(configuredPeerOf.get(link.a))) {
        trusted.remove(link.a);
      }
    }
    unexpectedLinks.clear();
    unexpected = null;
    for (SwitchPort end : probes.ends()) {
      probes.arrivalsOf(end).forEach(to -> noteIfUnexpected(end, to));
    }
  }

  /** Returns whether this was not known. */
  boolean seen(SwitchPort from, SwitchPort to) {
    boolean isNew = probes.seen(from, to);
    noteIfUnexpected(from, to);
    boolean confirmed = trusted.contains(from, to) && probes.join(from, to) && trusted.remove(from);
    return isNew || confirmed;
  }

  /** Returns whether this was known. */
  boolean lost(SwitchPort from, SwitchPort to) {
    boolean distrusted = trusted.contains(from, to) && trusted.remove(from);
    boolean known = probes.lost(from, to);
    noteIfUnexpected(from, to);
    return known || distrusted;
  }

  /**
   * Whether two ports have an unexpected link may have changed. One of a switch that is to connect
   * again under another name is looked at under that.
   */
  private void noteIfUnexpected(SwitchPort end, SwitchPort to) {
    LinkNumbering.Link link = new LinkNumbering.Link(end, to);
    if (!discovered
        && !to.equals(configuredPeerOf.get(end))
        && probes.join(end, to)
        && !renamed.test(end.switchId())
        && !renamed.test(to.switchId())) {
      unexpectedLinks.put(
          link,
          new UnexpectedLink(
              link.a, link.b, configuredPeerOf.get(link.a), configuredPeerOf.get(link.b)));
      unexpected = null;
    } else if (unexpectedLinks.remove(link) != null) {
      unexpected = null;
    }
  }

  private void forgetProbes(SwitchPort end) {
    List<SwitchPort> arrivals = probes.arrivalsOf(end);
    probes.forget(end);
    arrivals.forEach(to -> noteIfUnexpected(end, to));
  }

  /** Removes the probes of a port and the trust in its link. */
  void forget(SwitchPort end) {
    forgetProbes(end);
    trusted.remove(end);
  }

  /** Trusts the link of a port whose probes cannot be observed for some time. */
  void trustWithoutProbes(SwitchPort end) {
    SwitchPort peer = peerOf(end);
    forgetProbes(end);
    if (peer != null) {
      trusted.add(end, peer);
    }
  }

  /** A rule uses the link that is configured at this port. */
  void trust(SwitchPort end) {
    if (peerOf(end) == null) {
      trusted.add(end, configuredPeerOf.get(end));
    }
  }

  TrustedLinks trusted() {
    return trusted;
  }

  /** The port that is configured at the other end of this port's link, or null. */
  SwitchPort configuredPeerOf(SwitchPort end) {
    return configuredPeerOf.get(end);
  }

  /** The ports of a switch that probes leave by or arrive at. */
  Set<SwitchPort> endsOf(String switchId) {
    return probes.endsOf(switchId);
  }

  /** Whether the port may have hosts: it is no end of a link. */
  boolean isEdge(SwitchPort end) {
    return discovered
        ? !probes.passes(end) && trusted.peerOf(end) == null
        : !configuredPeerOf.containsKey(end);
  }

  /** The port at the other end of this port's link, while that carries traffic, or null. */
  SwitchPort peerOf(SwitchPort end) {
    SwitchPort trustedPeer = trusted.peerOf(end);
    if (trustedPeer != null) {
      return trustedPeer;
    }
    if (!discovered) {
      SwitchPort peer = configuredPeerOf.get(end);
      return peer != null && probes.join(end, peer) ? peer : null;
    }
    SwitchPort peer = firstJoined(end);
    return peer != null && end.equals(firstJoined(peer)) ? peer : null;
  }

  private SwitchPort firstJoined(SwitchPort end) {
    for (SwitchPort to : probes.arrivalsOf(end)) {
      if (probes.join(end, to)) {
        return to;
      }
    }
    return null;
  }

  /** All ports that may be an end of a link that carries traffic, in order. */
  Set<SwitchPort> ends() {
    Set<SwitchPort> ends = new TreeSet<>(probes.ends());
    trusted.links().forEach(link -> ends.add(link.a));
    return ends;
  }

  /** The configured capacity of the link at this port, or null. */
  Long configuredCapacityBps(SwitchPort end) {
    return configuredCapacityBps.get(end);
  }

  /** What probes find and the configuration does not have; the same list until it changes. */
  List<UnexpectedLink> unexpected() {
    if (unexpected == null) {
      unexpected = List.copyOf(unexpectedLinks.values());
    }
    return unexpected;
  }
}
