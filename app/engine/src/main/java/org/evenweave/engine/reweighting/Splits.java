package org.evenweave.engine.reweighting;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.evenweave.engine.paths.Routing;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.weights.DestinationRoutes;

/**
 * Weights for a traffic matrix: where a switch has others towards a destination than those by
 * effective capacity. Immutable.
 *
 * <p>All are on shortest paths, where every member is nearer to the destination: so any of them may
 * be put in force without the others, and none after a failure that changes the group that it is
 * for; no packet can loop.
 */
final class Splits {
  /** Weights by effective capacity everywhere. */
  static final Splits NONE = new Splits(Map.of());

  /** By destination and switch. */
  private final Map<String, Map<String, Split>> splits;

  private Splits(Map<String, Map<String, Split>> splits) {
    this.splits = splits;
  }

  /**
   * What other routes than by effective capacity differ in.
   *
   * @param plain by effective capacity
   * @param routesTo the others, by the number of the destination
   */
  static Splits between(Routing plain, IntFunction<DestinationRoutes> routesTo) {
    Fabric fabric = plain.snapshot().fabric();
    Map<String, Map<String, Split>> splits = new TreeMap<>();
    for (int destination : plain.destinations()) {
      DestinationRoutes before = plain.to(destination);
      DestinationRoutes after = routesTo.apply(destination);
      Map<String, Split> own = new TreeMap<>();
      for (int s = 0; s < fabric.switchCount(); s++) {
        if (!after.group(s).equals(before.group(s))) {
          own.put(fabric.switchId(s), Split.of(fabric, after.group(s), before.group(s)));
        }
      }
      if (!own.isEmpty()) {
        splits.put(fabric.switchId(destination), own);
      }
    }
    return new Splits(splits);
  }

  /** The routes with these weights, where they still are for the groups that they replace. */
  Routing in(Routing plain) {
    Fabric fabric = plain.snapshot().fabric();
    Map<Integer, DestinationRoutes> others = new HashMap<>();
    splits.forEach(
        (id, own) -> {
          int destination = fabric.indexOf(id);
          DestinationRoutes routes = destination < 0 ? null : plain.to(destination);
          if (routes != null) {
            DestinationRoutes replaced = replaced(fabric, routes, own);
            if (replaced != null) {
              others.put(destination, replaced);
            }
          }
        });
    return others.isEmpty() ? plain : plain.with(others);
  }

  private static DestinationRoutes replaced(
      Fabric fabric, DestinationRoutes plain, Map<String, Split> own) {
    int[][] arcs = new int[fabric.switchCount()][];
    long[][] weights = new long[fabric.switchCount()][];
    boolean changed = false;
    for (int s = 0; s < fabric.switchCount(); s++) {
      Split split = own.get(fabric.switchId(s));
      if (split != null && split.replaces(fabric, plain.group(s))) {
        split.write(fabric, s, arcs, weights);
        changed = true;
      } else {
        weights[s] = plain.weights(s);
        arcs[s] = new int[weights[s].length];
        for (int i = 0; i < arcs[s].length; i++) {
          arcs[s][i] = plain.arc(s, i);
        }
      }
    }
    return changed ? DestinationRoutes.of(fabric, plain.destination(), arcs, weights) : null;
  }

  /** Of how many groups' traffic the way to other weights moves all: 1.5 is a group and a half. */
  double distanceTo(Splits other) {
    double[] distance = {0};
    forEachPair(other, (destination, id, before, after) -> distance[0] += before.distanceTo(after));
    return distance[0];
  }

  /**
   * Part of the way to other weights.
   *
   * @param part from 0 to 1; with 1 the other weights themselves
   */
  Splits towards(Splits other, double part) {
    if (part >= 1) {
      return other;
    }
    Map<String, Map<String, Split>> between = new TreeMap<>();
    forEachPair(
        other,
        (destination, id, before, after) ->
            between
                .computeIfAbsent(destination, any -> new TreeMap<>())
                .put(id, before.towards(after, part)));
    return new Splits(between);
  }

  private interface PairVisitor {
    void visit(String destination, String switchId, Split before, Split after);
  }

  /** Visits what either has; before and after are of the same group, which is the other's. */
  private void forEachPair(Splits other, PairVisitor visitor) {
    splits.forEach(
        (destination, own) ->
            own.forEach(
                (id, before) -> {
                  if (other.get(destination, id) == null) {
                    visitor.visit(destination, id, before, before.original());
                  }
                }));
    other.splits.forEach(
        (destination, own) ->
            own.forEach(
                (id, after) -> {
                  Split mine = get(destination, id);
                  boolean comparable = mine != null && mine.isOfGroupOf(after);
                  visitor.visit(destination, id, comparable ? mine : after.original(), after);
                }));
  }

  private Split get(String destination, String switchId) {
    return splits.getOrDefault(destination, Collections.emptyMap()).get(switchId);
  }
}
