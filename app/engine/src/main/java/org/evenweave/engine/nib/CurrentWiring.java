package org.evenweave.engine.nib;

import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * The wiring with the state that each link has now. Only the ends of links that an event concerned
 * are looked at again, unless a link shows up that was never seen nor configured: then all is
 * numbered anew.
 */
final class CurrentWiring {
  /** What the state of a link follows from. */
  interface Ends {
    /** The other end of the link at this end if it carries traffic, or null. */
    String usablePeerOf(String end);

    /** In bits per second, in each direction. */
    long capacityBps(String end, String peer);
  }

  private final Cabling cabling;
  private final Ends ends;
  private final Set<String> endsToLookAt = new HashSet<>();
  private Wiring wiring;
  private boolean numberAnew;

  CurrentWiring(Fabric intended, Cabling cabling, Ends ends) {
    this.cabling = cabling;
    this.ends = ends;
    wiring = Wiring.of(intended);
  }

  /** As of the last update. */
  Wiring get() {
    return wiring;
  }

  /** Another fabric is intended. */
  void numberAnew() {
    numberAnew = true;
  }

  /** An end may have another state than in the wiring; its link is found by its peer too. */
  void lookAt(String end) {
    endsToLookAt.add(end);
    String peer = cabling.peerOf(end);
    if (peer != null) {
      endsToLookAt.add(peer);
    }
  }

  void lookAtEndsOf(String switchId) {
    cabling.endsOf(switchId).forEach(this::lookAt);
  }

  /**
   * @param switchIds the switches that forward, besides those of the intended fabric
   */
  void update(Fabric intended, Collection<String> switchIds) {
    for (String switchId : switchIds) {
      numberAnew |= wiring.fabric().indexOf(switchId) < 0;
    }
    BitSet up = new BitSet();
    BitSet down = new BitSet();
    for (String end : endsToLookAt) {
      String peer = ends.usablePeerOf(end);
      if (peer == null) {
        if (wiring.linkAt(end) >= 0) {
          down.set(wiring.linkAt(end));
        }
      } else if (wiring.joins(end, peer)) {
        up.set(wiring.linkAt(end));
      } else {
        numberAnew = true;
      }
    }
    endsToLookAt.clear();
    wiring = numberAnew ? numbered(intended, switchIds) : wiring.with(withStates(up, down));
    numberAnew = false;
  }

  private Fabric withStates(BitSet up, BitSet down) {
    Fabric fabric = wiring.fabric();
    for (int link = up.nextSetBit(0); link >= 0; link = up.nextSetBit(link + 1)) {
      long capacityBps = ends.capacityBps(fabric.end(2 * link), fabric.end(2 * link + 1));
      if (capacityBps != fabric.capacityBps(2 * link)) {
        fabric = fabric.withCapacityBps(link, capacityBps);
      }
    }
    Fabric before = fabric;
    int[] goneDown = down.stream().filter(before::isUp).toArray();
    int[] comeUp = up.stream().filter(link -> !before.isUp(link)).toArray();
    fabric = goneDown.length == 0 ? fabric : fabric.withLinksDown(goneDown);
    return comeUp.length == 0 ? fabric : fabric.withLinksUp(comeUp);
  }

  private Wiring numbered(Fabric intended, Collection<String> switchIds) {
    Map<Wiring.Link, Long> links = new TreeMap<>();
    for (String end : cabling.ends()) {
      String peer = ends.usablePeerOf(end);
      if (peer != null) {
        links.put(new Wiring.Link(end, peer), ends.capacityBps(end, peer));
      }
    }
    return Wiring.of(intended, switchIds, links, wiring.fabric());
  }
}
