package org.evenweave.engine.aggregation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;

class RouteTrieTest {
  private static final int PREFIXES = 512;

  /** From the root to an address. */
  private static final int PATH = 33;

  private static Ipv4Prefix prefix(int number) {
    return Ipv4Prefix.of(Ipv4Prefix.parseAddress("10.0.0.0") + (number << 8), 24);
  }

  private static PrefixRoutes routes(Set<Integer> numbers, SplittableRandom random) {
    return new PrefixRoutes(
        numbers.stream().map(RouteTrieTest::prefix).toArray(Ipv4Prefix[]::new),
        numbers.stream().mapToLong(i -> i / 16 + random.nextInt(20) / 19).toArray());
  }

  private static Set<RouteNode> nodes(RouteNode trie, Set<RouteNode> nodes) {
    nodes.add(trie);
    if (trie.low != null) {
      nodes(trie.low, nodes);
      nodes(trie.high, nodes);
    }
    return nodes;
  }

  private static Set<RouteNode> nodes(RouteTrie trie) {
    return nodes(trie.root(), Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  private static Set<Integer> all() {
    Set<Integer> all = new TreeSet<>();
    for (int i = 0; i < PREFIXES; i++) {
      all.add(i);
    }
    return all;
  }

  /** A path to each prefix that changes and to each rule that does, and what lies beside it. */
  @Property
  void aChangeMakesNewNodesOnItsPathsAlone(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RouteTrie trie = RouteTrie.EMPTY.withRoutes(routes(all(), random));
    int[] changes = {0};
    RouteTrie before = trie.settled((prefix, old, route) -> changes[0]++);
    Set<Integer> changed = new TreeSet<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      changed.add(random.nextInt(PREFIXES));
    }
    changes[0] = 0;
    RouteTrie wanting = before.withRoutes(routes(changed, random));
    RouteTrie after = wanting.settled((prefix, old, route) -> changes[0]++);
    assertEquals(wanting.changes(), changes[0]);
    Set<RouteNode> fresh = nodes(after);
    fresh.removeAll(nodes(before));
    assertTrue(fresh.size() <= 2 * PATH * (changed.size() + changes[0]));
  }

  @Test
  void aSwitchOfAWholeFabricHasATrieOfItsPodsNotOfItsPrefixes() {
    long[] routes = new long[PREFIXES];
    Ipv4Prefix[] prefixes = new Ipv4Prefix[PREFIXES];
    for (int i = 0; i < PREFIXES; i++) {
      prefixes[i] = prefix(i);
      routes[i] = i / 16;
    }
    RouteTrie trie =
        RouteTrie.EMPTY
            .withRoutes(new PrefixRoutes(prefixes, routes))
            .settled((prefix, old, route) -> {});
    assertEquals(PREFIXES / 16, trie.fewest());
    assertEquals(2 * PREFIXES / 16 - 1, nodes(trie).size());
  }
}
