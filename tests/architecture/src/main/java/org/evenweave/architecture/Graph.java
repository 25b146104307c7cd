package org.evenweave.architecture;

import java.util.Collections;
import java.util.Comparator;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Named nodes and the arrows between them. */
final class Graph {
  private final SortedMap<String, Set<String>> arrows = new TreeMap<>();

  void addNode(String node) {
    arrows.computeIfAbsent(node, name -> new TreeSet<>());
  }

  /** Adds an arrow, and its ends; an arrow from a node to itself counts for nothing. */
  void addArrow(String from, String to) {
    addNode(from);
    addNode(to);
    if (!from.equals(to)) {
      arrows.get(from).add(to);
    }
  }

  /** Where the arrows of each node lead. */
  SortedMap<String, Set<String>> arrows() {
    return arrows;
  }

  /**
   * The same without the arrows that a longer way implies. In a graph without cycles these are
   * determined, and what remains says as much (Aho, Garey and Ullman 1972).
   *
   * @throws IllegalStateException if there is a cycle
   */
  Graph reduced() {
    requireNoCycles();
    Graph reduced = new Graph();
    arrows.forEach(
        (from, targets) -> {
          reduced.addNode(from);
          for (String to : targets) {
            if (targets.stream().noneMatch(next -> !next.equals(to) && reaches(next, to))) {
              reduced.addArrow(from, to);
            }
          }
        });
    return reduced;
  }

  private void requireNoCycles() {
    Set<String> rest = new TreeSet<>(arrows.keySet());
    while (rest.removeIf(node -> Collections.disjoint(arrows.get(node), rest))) {
      // On to the nodes above them.
    }
    if (!rest.isEmpty()) {
      throw new IllegalStateException("on a cycle, or above one: " + rest);
    }
  }

  /** A node from which the longest way leads. */
  String highest() {
    return Collections.max(arrows.keySet(), Comparator.comparingInt(this::height));
  }

  /** The node where a longest way ends. */
  String lowest() {
    String node = highest();
    while (!arrows.get(node).isEmpty()) {
      node = Collections.max(arrows.get(node), Comparator.comparingInt(this::height));
    }
    return node;
  }

  private int height(String node) {
    return arrows.get(node).stream().mapToInt(next -> 1 + height(next)).max().orElse(0);
  }

  private boolean reaches(String from, String to) {
    return arrows.get(from).contains(to)
        || arrows.get(from).stream().anyMatch(next -> reaches(next, to));
  }
}
