package org.evenweave.engine.nib;

import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * The links of the {@link LinkNumbering} with the state that each has now. Only the ends of links
 * that an event concerned are updated, unless a link appears that was never seen nor configured:
 * then all links are renumbered.
 */
final class CurrentLinks {
  private final LinkMap linkMap;
  private final UnaryOperator<SwitchPort> usablePeerOf;
  private final KnownSwitches switches;
  private Set<SwitchPort> endsToUpdate = new HashSet<>();
  private LinkNumbering numbering;
  private boolean renumber;

  /** The switches that forward, all of which have numbers. */
  private Collection<String> numberedIds;

  /**
   * @param usablePeerOf the other end of the link at an end if it carries traffic, or null
   */
  CurrentLinks(
      Fabric intended,
      LinkMap linkMap,
      KnownSwitches switches,
      UnaryOperator<SwitchPort> usablePeerOf) {
    this.linkMap = linkMap;
    this.usablePeerOf = usablePeerOf;
    this.switches = switches;
    numbering = LinkNumbering.of(intended);
  }

  /** As of the last update. */
  LinkNumbering get() {
    return numbering;
  }

  /** Makes the next update number all links again, because the intended fabric changed. */
  void renumber() {
    renumber = true;
  }

  /** Makes the next update recompute the state of the link at this end. */
  void markForUpdate(SwitchPort end) {
    endsToUpdate.add(end);
    SwitchPort peer = linkMap.peerOf(end);
    if (peer != null) {
      endsToUpdate.add(peer);
    }
  }

  void markEndsForUpdate(String switchId) {
    linkMap.endsOf(switchId).forEach(this::markForUpdate);
  }

  /**
   * @param switchIds the switches that forward, besides those of the intended fabric; the same
   *     object only if they are the same
   */
  void update(Fabric intended, Collection<String> switchIds) {
    if (switchIds != numberedIds) {
      switchIds.forEach(id -> renumber |= numbering.fabric().indexOf(id) < 0);
      numberedIds = switchIds;
    }
    BitSet up = new BitSet();
    BitSet down = new BitSet();
    for (SwitchPort end : endsToUpdate) {
      SwitchPort peer = usablePeerOf.apply(end);
      if (peer == null) {
        if (numbering.linkAt(end) >= 0) {
          down.set(numbering.linkAt(end));
        }
      } else if (numbering.joins(end, peer)) {
        up.set(numbering.linkAt(end));
      } else {
        renumber = true;
      }
    }
    endsToUpdate = new HashSet<>(); // Clearing one that was large takes long ever after.
    numbering = renumber ? numbered(intended, switchIds) : numbering.with(withStates(up, down));
    renumber = false;
  }

  private Fabric withStates(BitSet up, BitSet down) {
    Fabric fabric = numbering.fabric();
    for (int link = up.nextSetBit(0); link >= 0; link = up.nextSetBit(link + 1)) {
      long bps = capacityBps(fabric.end(2 * link), fabric.end(2 * link + 1));
      if (bps != fabric.capacityBps(2 * link)) {
        fabric = fabric.withCapacityBps(link, bps);
      }
    }
    Fabric before = fabric;
    int[] goneDown = down.stream().filter(before::isUp).toArray();
    int[] comeUp = up.stream().filter(link -> !before.isUp(link)).toArray();
    fabric = goneDown.length == 0 ? fabric : fabric.withLinksDown(goneDown);
    return comeUp.length == 0 ? fabric : fabric.withLinksUp(comeUp);
  }

  private long capacityBps(SwitchPort from, SwitchPort to) {
    Long configured = linkMap.configuredCapacityBps(from);
    return configured != null ? configured : switches.capacityBps(from, to);
  }

  private LinkNumbering numbered(Fabric intended, Collection<String> switchIds) {
    Map<LinkNumbering.Link, Long> links = new TreeMap<>();
    for (SwitchPort end : linkMap.ends()) {
      SwitchPort peer = usablePeerOf.apply(end);
      if (peer != null) {
        links.put(new LinkNumbering.Link(end, peer), capacityBps(end, peer));
      }
    }
    return LinkNumbering.of(intended, new TreeSet<>(switchIds), links, numbering.fabric());
  }
}
