package org.evenweave.engine.links;

import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.SwitchPort;

/** One direction of a link of a fabric. Immutable. */
final class LinkDirection {
  final SwitchPort from;
  final SwitchPort to;

  /** The link's name, as in {@code s1-0/1-s2-0/1}. */
  final String link;

  /** The same end in both directions of a link. */
  final SwitchPort linkEnd;

  private LinkDirection(SwitchPort from, SwitchPort to, String link, SwitchPort linkEnd) {
    this.from = from;
    this.to = to;
    this.link = link;
    this.linkEnd = linkEnd;
  }

  static LinkDirection of(Fabric fabric, int arc) {
    return new LinkDirection(
        fabric.end(arc), fabric.end(arc ^ 1), fabric.linkName(arc >> 1), fabric.end(arc & ~1));
  }

  @Override
  public String toString() {
    return from + " to " + to;
  }
}
