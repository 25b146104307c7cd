package org.evenweave.engine.nib;

import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * The links of the {@link LinkNumbering} with the state that each has now. Only the ends of links
 * that an event concerned are updated, unless a link appears that was never seen nor configured:
 * then all links are renumbered.
 */
final class CurrentLinks {
  /** What the state of a link follows from. */
  interface Ends {
    /** The other end of the link at this end if it carries traffic, or null. */
    SwitchPort usablePeerOf(SwitchPort end);

    /** In bits per second, in each direction. */
    long capacityBps(SwitchPort end, SwitchPort peer);
  }

  private final LinkMap linkMap;
  private final Ends ends;
  private final Set<SwitchPort> endsToLookAt = new HashSet<>();
  private LinkNumbering numbering;
  private boolean numberAnew;

  CurrentLinks(Fabric intended, LinkMap linkMap, Ends ends) {
    this.linkMap = linkMap;
    this.ends = ends;
    numbering = LinkNumbering.of(intended);
  }

  /** As of the last update. */
  LinkNumbering get() {
    return numbering;
  }

  /** Another fabric is intended. */
  void numberAnew() {
    numberAnew = true;
  }

  /** An end may have another state than in the fabric; its link is found by its peer too. */
  void lookAt(SwitchPort end) {
    endsToLookAt.add(end);
    SwitchPort peer = linkMap.peerOf(end);
    if (peer != null) {
      endsToLookAt.add(peer);
    }
  }

  void lookAtEndsOf(String switchId) {
    linkMap.endsOf(switchId).forEach(this::lookAt);
  }

  /**
   * @param switchIds the switches that forward, besides those of the intended fabric
   */
  void update(Fabric intended, Collection<String> switchIds) {
    for (String switchId : switchIds) {
      numberAnew |= numbering.fabric().indexOf(switchId) < 0;
    }
    BitSet up = new BitSet();
    BitSet down = new BitSet();
    for (SwitchPort end : endsToLookAt) {
      SwitchPort peer = ends.usablePeerOf(end);
      if (peer == null) {
        if (numbering.linkAt(end) >= 0) {
          down.set(numbering.linkAt(end));
        }
      } else if (numbering.joins(end, peer)) {
        up.set(numbering.linkAt(end));
      } else {
        numberAnew = true;
      }
    }
    endsToLookAt.clear();
    numbering = numberAnew ? numbered(intended, switchIds) : numbering.with(withStates(up, down));
    numberAnew = false;
  }

  private Fabric withStates(BitSet up, BitSet down) {
    Fabric fabric = numbering.fabric();
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

  private LinkNumbering numbered(Fabric intended, Collection<String> switchIds) {
    Map<LinkNumbering.Link, Long> links = new TreeMap<>();
    for (SwitchPort end : linkMap.ends()) {
      SwitchPort peer = ends.usablePeerOf(end);
      if (peer != null) {
        links.put(new LinkNumbering.Link(end, peer), ends.capacityBps(end, peer));
      }
    }
    return LinkNumbering.of(intended, switchIds, links, numbering.fabric());
  }
}
