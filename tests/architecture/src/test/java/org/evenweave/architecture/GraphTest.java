package org.evenweave.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GraphTest {
  @Test
  void arrowsThatALongerWayImpliesAreLeftOut() {
    Graph graph = new Graph();
    graph.addArrow("a", "b");
    graph.addArrow("b", "c");
    graph.addArrow("c", "d");
    graph.addArrow("a", "d");
    graph.addArrow("b", "d");
    graph.addArrow("a", "e");
    assertEquals(
        Map.of(
            "a",
            Set.of("b", "e"),
            "b",
            Set.of("c"),
            "c",
            Set.of("d"),
            "d",
            Set.of(),
            "e",
            Set.of()),
        graph.reduced().arrows());
  }

  @Test
  void nodesWithoutArrowsStay() {
    Graph graph = new Graph();
    graph.addNode("a");
    graph.addArrow("b", "b");
    assertEquals(Map.of("a", Set.of(), "b", Set.of()), graph.reduced().arrows());
  }

  @Test
  void theLongestWayLeadsFromTheHighestNodeToTheLowest() {
    Graph graph = new Graph();
    graph.addArrow("c", "x");
    graph.addArrow("c", "b");
    graph.addArrow("b", "a");
    assertEquals("c", graph.highest());
    assertEquals("a", graph.lowest());
  }

  @Test
  void aCycleIsRefused() {
    Graph graph = new Graph();
    graph.addArrow("a", "b");
    graph.addArrow("b", "a");
    graph.addArrow("b", "c");
    assertEquals(
        "on a cycle, or above one: [a, b]",
        assertThrows(IllegalStateException.class, graph::reduced).getMessage());
  }
}
