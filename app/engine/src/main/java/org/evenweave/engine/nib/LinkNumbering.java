package org.evenweave.engine.nib;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * The links that are known, in one numbering for as long as no other link shows up: what goes down
 * and comes back keeps its number, so that what was computed for the fabric before an event can be
 * carried over ({@link Fabric#hasNumberingOf}). Immutable.
 */
final class LinkNumbering {
  private final Fabric fabric;
  private final Map<SwitchPort, Integer> arcOfEnd;

  private LinkNumbering(Fabric fabric, Map<SwitchPort, Integer> arcOfEnd) {
    this.fabric = fabric;
    this.arcOfEnd = arcOfEnd;
  }

  /** Of a configured fabric and of nothing else; all its links are down. */
  static LinkNumbering of(Fabric intended) {
    return of(intended, Set.of(), Map.of(), intended);
  }

  private static LinkNumbering numbered(Fabric fabric) {
    Map<SwitchPort, Integer> arcOfEnd = new HashMap<>();
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      arcOfEnd.put(fabric.end(arc), arc);
    }
    return new LinkNumbering(fabric, arcOfEnd);
  }

  /**
   * A new numbering: the intended switches and others, the links that are up now, and of those
   * known before all that use no port of these.
   *
   * @param links each as its two ends
   * @param before links of these two are kept, where they can be
   */
  static LinkNumbering of(
      Fabric intended, Collection<String> others, Map<Link, Long> links, Fabric before) {
    FabricBuilder builder = new FabricBuilder();
    Set<String> known = new HashSet<>(others);
    for (int s = 0; s < intended.switchCount(); s++) {
      builder.addSwitch(
          intended.switchId(s),
          intended.stage(s),
          intended.limits(s),
          intended.target(s),
          intended.leaveOut(s));
      known.add(intended.switchId(s));
    }
    others.stream()
        .filter(id -> intended.indexOf(id) < 0)
        .forEach(id -> builder.addSwitch(id, 1, Fabric.UNLIMITED));
    Set<SwitchPort> usedEnds = new HashSet<>();
    links.forEach(
        (link, capacityBps) -> {
          builder.addLink(link.a, link.b, capacityBps);
          usedEnds.addAll(Arrays.asList(link.a, link.b));
        });
    addUnused(builder, intended, known, usedEnds);
    addUnused(builder, before, known, usedEnds);
    for (int i = 0; i < intended.subnetCount(); i++) {
      builder.addSubnet(intended.switchId(intended.subnetSwitch(i)), intended.subnetPrefix(i));
    }
    Fabric fabric = builder.build();
    int[] down = new int[fabric.linkCount() - links.size()];
    Arrays.setAll(down, i -> links.size() + i);
    return numbered(fabric.withLinksDown(down));
  }

  private static void addUnused(
      FabricBuilder builder, Fabric from, Set<String> known, Set<SwitchPort> usedEnds) {
    for (int link = 0; link < from.linkCount(); link++) {
      Link ends = new Link(from.end(2 * link), from.end(2 * link + 1));
      if (known.contains(from.switchId(from.from(2 * link)))
          && known.contains(from.switchId(from.to(2 * link)))
          && !usedEnds.contains(ends.a)
          && !usedEnds.contains(ends.b)) {
        builder.addLink(ends.a, ends.b, from.capacityBps(2 * link));
        usedEnds.addAll(Arrays.asList(ends.a, ends.b));
      }
    }
  }

  /** Two ends, the lesser first. */
  static final class Link implements Comparable<Link> {
    final SwitchPort a;
    final SwitchPort b;

    Link(SwitchPort end, SwitchPort peer) {
      boolean inOrder = end.compareTo(peer) < 0;
      a = inOrder ? end : peer;
      b = inOrder ? peer : end;
    }

    @Override
    public int compareTo(Link other) {
      int byA = a.compareTo(other.a);
      return byA != 0 ? byA : b.compareTo(other.b);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Link && compareTo((Link) other) == 0;
    }

    @Override
    public int hashCode() {
      return 31 * a.hashCode() + b.hashCode();
    }

    /** As links are named: {@code s1-0/1-s2-0/1}. */
    @Override
    public String toString() {
      return a + "-" + b;
    }
  }

  Fabric fabric() {
    return fabric;
  }

  /** Whether the two ends are those of one known link. */
  boolean joins(SwitchPort end, SwitchPort peer) {
    Integer arc = arcOfEnd.get(end);
    return arc != null && arcOfEnd.getOrDefault(peer, -1) == (arc ^ 1);
  }

  /** The link at this end, or -1. */
  int linkAt(SwitchPort end) {
    Integer arc = arcOfEnd.get(end);
    return arc == null ? -1 : arc >> 1;
  }

  /** The same numbering, with some links of the fabric in another state. */
  LinkNumbering with(Fabric changed) {
    return changed == fabric ? this : new LinkNumbering(changed, arcOfEnd);
  }

  /** The fabric without some of its links: those with one of these ends, and of these switches. */
  Fabric without(Collection<SwitchPort> ends, Collection<String> switchIds) {
    BitSet links = new BitSet();
    ends.stream().mapToInt(this::linkAt).filter(link -> link >= 0).forEach(links::set);
    for (String switchId : switchIds) {
      int s = fabric.indexOf(switchId);
      if (s >= 0) {
        Arrays.stream(fabric.linksAt(s)).forEach(links::set);
      }
    }
    return links.isEmpty() ? fabric : fabric.withLinksDown(links.stream().toArray());
  }

  /** The switches that satisfy a condition on their ids, by number. */
  BitSet switches(Predicate<String> condition) {
    BitSet found = new BitSet(fabric.switchCount());
    for (int s = 0; s < fabric.switchCount(); s++) {
      found.set(s, condition.test(fabric.switchId(s)));
    }
    return found;
  }
}
