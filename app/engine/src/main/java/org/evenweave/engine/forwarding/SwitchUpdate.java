package org.evenweave.engine.forwarding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.PortGuard;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.IdealGroup;

/**
 * Changes one switch's tables where its routes or hosts changed, in O(destinations with other
 * routes * groups that these have or had + hosts): what {@link SwitchCompiler} does in O(all
 * destinations), with groups of the same slots for the same prefixes. Only for a switch that holds
 * what was compiled for it, and none of whose groups depends on the others, as in a multipath table
 * that is too small for all.
 */
final class SwitchUpdate {
  private final SwitchCompiler compiler;
  private final Routing routing;
  private final DesiredState earlier;
  private final Fabric fabric;
  private final RoutedPrefixes prefixes;

  /** Of the switch being updated: the groups that it had. */
  private SwitchGroups groups;

  /** Those of them that destinations leave or join. */
  private final BitSet touched = new BitSet();

  /** The same, and the groups that are new. */
  private final List<Part> parts = new ArrayList<>();

  /** One group: what it was, and what joins it. */
  private static final class Part {
    final SwitchGroups.Entry was;
    final IdealGroup ideal;
    int prefixCount;

    /** The subnets that use it from now on and did not before. */
    final List<Integer> joining = new ArrayList<>(1);

    SharedGroup joined;

    Part(SwitchGroups.Entry was, IdealGroup ideal) {
      this.was = was;
      this.ideal = ideal;
      prefixCount = was == null ? 0 : was.prefixCount;
    }

    /** Whether subnets stay with it that need no look. */
    boolean keepsSome() {
      return prefixCount > joining.size();
    }
  }

  /**
   * @param earlier what was compiled for routes from which those of {@code compiler} were made, and
   *     for the same subnets
   */
  SwitchUpdate(SwitchCompiler compiler, DesiredState earlier) {
    this.compiler = compiler;
    this.earlier = earlier;
    routing = compiler.routing;
    fabric = compiler.fabric;
    prefixes = compiler.prefixes;
  }

  /**
   * @param before what the switch holds: the tables that {@code earlier} has for it
   * @param hasOtherHosts whether hosts came to it or left
   * @return null if the switch has to be compiled in full
   */
  SwitchCompiler.Result of(int s, SwitchTables before, boolean hasOtherHosts) {
    SwitchTables.Editor editor = new SwitchTables.Editor(before);
    if (hasOtherHosts && !exchangeHosts(s, editor)) {
      return null;
    }
    groups = earlier.groupsOf(s);
    if (!routing.changedAt(s)) {
      return new SwitchCompiler.Result(editor.done(), groups);
    }
    if (groups.hasLarge || groups.isShared || !compiler.isRoomForAny(s, groups.count())) {
      return null;
    }
    parts.clear();
    touched.clear();
    for (int destination : routing.changedDestinations(s)) {
      move(s, destination, before, editor);
    }
    for (Part part : parts) {
      if (part.joined != null && part.prefixCount > part.joined.prefixCount) {
        stay(s, part, before);
      }
    }
    parts.sort(Comparator.comparingInt(this::rank));
    int count = groups.count() - touched.cardinality();
    for (Part part : parts) {
      if (!compiler.isOfOneTable(s, part.ideal)) {
        return null;
      }
      count += part.prefixCount > 0 ? 1 : 0;
    }
    return compiler.isRoomForAny(s, count) ? assign(s, before, editor) : null;
  }

  /** Groups that need new ids get them in the order of their first destinations, as in full. */
  private int rank(Part part) {
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < part.joining.size() && !part.keepsSome(); i++) {
      least = Math.min(least, fabric.subnetSwitch(part.joining.get(i)));
    }
    return least == Integer.MAX_VALUE ? -1 : least;
  }

  /** Returns false where a host's rule would take the place of a prefix's. */
  private boolean exchangeHosts(int s, SwitchTables.Editor editor) {
    List<Host> then = earlier.routing().snapshot().hostsAt(fabric.switchId(s));
    List<Host> now = routing.snapshot().hostsAt(fabric.switchId(s));
    Set<Host> gone = new HashSet<>(then);
    now.forEach(gone::remove);
    Set<Host> come = new HashSet<>(now);
    then.forEach(come::remove);
    List<Ipv4Prefix> own = prefixes.prefixesOf(s);
    gone.forEach(host -> EdgeRules.ofHost(host, own).forEach(editor::remove));
    come.forEach(host -> EdgeRules.ofHost(host, own).forEach(editor::put));
    return exchangeGuards(s, then, now, editor)
        && Stream.concat(gone.stream(), come.stream())
            .allMatch(host -> prefixes.subnetOf(Ipv4Prefix.host(host.address())) < 0);
  }

  /** Returns false where it is not known which ports there are to guard. */
  private boolean exchangeGuards(
      int s, List<Host> hostsThen, List<Host> hostsNow, SwitchTables.Editor editor) {
    PortGuard then = compiler.guard(s, earlier.routing().snapshot());
    PortGuard now = compiler.guard(s);
    if (then == PortGuard.UNKNOWN || now == PortGuard.UNKNOWN) {
      return then == now;
    }
    if (!now.equals(then) || !now.knownHosts().isEmpty()) {
      SourceGuardRules.of(then, hostsThen).forEach(editor::remove);
      SourceGuardRules.of(now, hostsNow).forEach(editor::put);
    }
    return true;
  }

  /** Takes a destination out of the group that it had, and into the one that it gets. */
  private void move(int s, int destination, SwitchTables before, SwitchTables.Editor editor) {
    DestinationRoutes routes = routing.to(destination);
    IdealGroup old = earlier.routing().to(destination).group(s);
    IdealGroup now = routes.group(s);
    int[] subnets = prefixes.subnetsOf(destination);
    if (old.memberCount() > 1) {
      partOf(old).prefixCount -= subnets.length;
    }
    if (now.memberCount() > 1) {
      Part part = partOf(now);
      part.prefixCount += subnets.length;
      if (part.joined == null) {
        part.joined = new SharedGroup(now);
      }
      compiler.join(part.joined, routes, s, before);
      for (int subnet : subnets) {
        part.joining.add(subnet);
      }
      return;
    }
    for (int subnet : subnets) {
      if (now.memberCount() == 1) {
        int port = fabric.port(now.arc(0));
        editor.putRoute(prefixes.index(), prefixes.number(subnet), prefixes.toPort(subnet, port));
      } else {
        editor.removeRoute(prefixes.prefix(subnet));
      }
    }
  }

  private Part partOf(IdealGroup ideal) {
    for (Part part : parts) {
      if (part.ideal.equals(ideal)) {
        return part;
      }
    }
    int g = groups.indexOf(ideal);
    if (g >= 0) {
      touched.set(g);
    }
    Part part = new Part(g < 0 ? null : groups.get(g), ideal);
    parts.add(part);
    return part;
  }

  private SwitchCompiler.Result assign(int s, SwitchTables before, SwitchTables.Editor editor) {
    GroupIds ids = compiler.groupIds(s, before, before::usersOf);
    List<Part> changed = new ArrayList<>(parts.size());
    List<SharedGroup> shared = new ArrayList<>(parts.size());
    List<SelectGroup> wanted = new ArrayList<>(parts.size());
    List<BucketAllocator.GroupLayout> layouts = new ArrayList<>(parts.size());
    for (Part part : parts) {
      if (part.joined == null) {
        if (part.prefixCount > 0) {
          ids.keep(part.was.group.id());
        }
        continue;
      }
      changed.add(part);
      shared.add(part.joined);
      SelectGroup old = ids.installedFor(part.joined);
      BucketAllocator.GroupLayout layout = compiler.realiseAlone(s, part.ideal, old);
      if (old != null && old.hasBucketsOf(layout.buckets) && isKeptByAnother(old.id(), part)) {
        return null; // Which of the two gets the id depends on destinations that stay.
      }
      layouts.add(layout);
      wanted.add(layout.buckets);
    }
    int[] idOf = ids.assign(shared, wanted);
    List<SwitchGroups.Entry> entries = new ArrayList<>(groups.count() + 1);
    for (int g = touched.nextClearBit(0); g < groups.count(); g = touched.nextClearBit(g + 1)) {
      entries.add(groups.get(g));
    }
    parts.forEach(part -> addUnchanged(part, entries));
    for (int g = 0; g < idOf.length; g++) {
      Part part = changed.get(g);
      SelectGroup group = layouts.get(g).group(idOf[g]);
      if (part.keepsSome() && !group.equals(part.was.group)) {
        return null;
      }
      editor.put(group);
      for (int subnet : part.joining) {
        editor.putRoute(
            prefixes.index(), prefixes.number(subnet), prefixes.toGroup(subnet, idOf[g]));
      }
      entries.add(
          new SwitchGroups.Entry(part.ideal, part.prefixCount, layouts.get(g).realisation, group));
    }
    for (Part part : parts) {
      if (part.was != null && !ids.isTaken(part.was.group.id())) {
        editor.removeGroup(part.was.group.id());
      }
    }
    return new SwitchCompiler.Result(
        editor.done(),
        new SwitchGroups(
            entries,
            Set.of(),
            groups.seeded,
            groups.target,
            groups.minNextHops,
            groups.limits,
            SharingCost.NONE,
            ""));
  }

  private boolean isKeptByAnother(int id, Part part) {
    for (Part other : parts) {
      if (other != part && other.keepsSome() && other.was.group.id() == id) {
        return true;
      }
    }
    return false;
  }

  /** Counts the subnets that stay with a group that others join. */
  private void stay(int s, Part part, SwitchTables before) {
    int id = part.was.group.id();
    part.joined.use(id, part.prefixCount - part.joined.prefixCount);
    if (part.joined.mostUsed() != id) {
      addStaying(s, part, before);
    }
    part.joined.prefixCount = part.prefixCount;
  }

  /** Has the subnets that stay with a group join it too, since it grows out of another one. */
  private void addStaying(int s, Part part, SwitchTables before) {
    int[] changed = routing.changedDestinations(s);
    before.forEachUser(
        part.was.group.id(),
        prefixes.index(),
        number -> {
          int subnet = prefixes.subnetOfNumber(number);
          int destination = fabric.subnetSwitch(subnet);
          if (Arrays.binarySearch(changed, destination) < 0) {
            part.joined.add(1, routing.to(destination).hops(s));
            part.joining.add(subnet);
          }
        });
  }

  private static void addUnchanged(Part part, List<SwitchGroups.Entry> entries) {
    if (part.joined == null && part.prefixCount > 0) {
      entries.add(part.was.withPrefixCount(part.prefixCount));
    }
  }
}
