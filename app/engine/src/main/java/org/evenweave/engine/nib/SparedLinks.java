package org.evenweave.engine.nib;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Links that are up and kept out of traffic, because they fail too often or lose packets. Only
 * unwanted links that the fabric does not need are here: a link that is the only way between two
 * parts of it still carries traffic, since packets that get through some of the time are better
 * than none. Immutable.
 */
final class SparedLinks {
  /** What is left to carry traffic, in the same numbering. */
  final Fabric rest;

  /** As {@code s1-0/1-s2-0/1}, by number. */
  final List<String> names;

  private SparedLinks(Fabric rest, List<String> names) {
    this.rest = rest;
    this.names = names;
  }

  /**
   * In O(switches + links) while any are unwanted.
   *
   * @param usable the links that are up and not excluded
   * @param ends one of each link that is unwanted
   */
  static SparedLinks of(LinkNumbering numbering, Fabric usable, Collection<SwitchPort> ends) {
    int[] unwanted =
        ends.stream()
            .mapToInt(numbering::linkAt)
            .filter(link -> link >= 0 && usable.isUp(link))
            .sorted()
            .toArray();
    if (unwanted.length == 0) {
      return new SparedLinks(usable, List.of());
    }
    int[] parts = parts(usable.withLinksDown(unwanted));
    int[] spared =
        Arrays.stream(unwanted)
            .filter(link -> part(parts, usable.from(2 * link)) == part(parts, usable.to(2 * link)))
            .toArray();
    List<String> names = new ArrayList<>();
    for (int link : spared) {
      names.add(usable.linkName(link));
    }
    return new SparedLinks(
        spared.length == 0 ? usable : usable.withLinksDown(spared), List.copyOf(names));
  }

  /** A union-find forest of the switches that have a path to each other. */
  private static int[] parts(Fabric fabric) {
    int[] parent = new int[fabric.switchCount()];
    Arrays.setAll(parent, s -> s);
    for (int link = 0; link < fabric.linkCount(); link++) {
      if (fabric.isUp(link)) {
        parent[part(parent, fabric.from(2 * link))] = part(parent, fabric.to(2 * link));
      }
    }
    return parent;
  }

  private static int part(int[] parent, int s) {
    int root = s;
    while (parent[root] != root) {
      parent[root] = parent[parent[root]];
      root = parent[root];
    }
    return root;
  }
}
