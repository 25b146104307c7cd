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

  private LinkDirection(Fabric fabric, int arc) {
    from = fabric.end(arc);
    to = fabric.end(arc ^ 1);
    link = fabric.linkName(arc >> 1);
    linkEnd = fabric.end(arc & ~1);
  }

  static LinkDirection of(Fabric fabric, int arc) {
    return new LinkDirection(fabric, arc);
  }

  @Override
  public String toString() {
    return from + " to " + to;
  }
}
