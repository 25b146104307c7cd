package org.evenweave.engine.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;

class RouteRulesTest {
  private static final int PREFIXES = 300; // three pages

  /** Rules as tables have them: one object for equal ones. */
  private final FlowRule[][] rules = new FlowRule[PREFIXES][4];

  private final PrefixIndex index;

  RouteRulesTest() {
    List<Ipv4Prefix> prefixes = new ArrayList<>();
    for (int i = 0; i < PREFIXES; i++) {
      Ipv4Prefix prefix = Ipv4Prefix.of(0x0a000000 | i << 8, 24);
      prefixes.add(prefix);
      for (int target = 1; target <= 4; target++) {
        rules[i][target - 1] =
            target % 2 == 0
                ? FlowRule.routeToGroup(prefix, target)
                : FlowRule.routeToPort(prefix, target);
      }
    }
    index = PrefixIndex.of(prefixes);
  }

  /** Versions of the tables of several switches, whose pages are shared, and maps of the same. */
  @Property(tries = 300)
  void everyVersionKeepsItsRulesWhateverHappensToThoseThatShareItsPages(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<RouteRules> versions = new ArrayList<>(List.of(RouteRules.on(index)));
    List<Map<Integer, FlowRule>> models = new ArrayList<>(List.of(new TreeMap<>()));
    for (int step = 0; step < 12; step++) {
      // Two or three tables that are alike get nearly the same changes, as by one event.
      int from = random.nextInt(versions.size());
      int changes = 1 + random.nextInt(random.nextBoolean() ? 3 : 200);
      long common = random.nextLong();
      for (int alike = random.nextInt(2, 4); alike > 0; alike--) {
        RouteRules.Editor editor = new RouteRules.Editor(versions.get(from));
        Map<Integer, FlowRule> model = new TreeMap<>(models.get(from));
        change(new SplittableRandom(common), changes, editor, model);
        change(random, random.nextInt(2), editor, model);
        versions.add(editor.done());
        models.add(model);
      }
    }
    for (int v = 0; v < versions.size(); v++) {
      assertIs(models.get(v), versions.get(v));
    }
  }

  private void change(
      SplittableRandom random,
      int changes,
      RouteRules.Editor editor,
      Map<Integer, FlowRule> model) {
    for (int c = 0; c < changes; c++) {
      int i = random.nextInt(PREFIXES);
      if (random.nextInt(4) == 0) {
        editor.remove(rules[i][0].prefix());
        model.remove(i);
      } else {
        FlowRule rule = rules[i][random.nextInt(4)];
        editor.put(i, rule);
        model.put(i, rule);
      }
    }
  }

  private void assertIs(Map<Integer, FlowRule> model, RouteRules table) {
    assertEquals(model.size(), table.size());
    Map<Integer, Integer> users = new TreeMap<>();
    for (int i = 0; i < PREFIXES; i++) {
      assertSame(model.get(i), table.at(i));
      if (table.at(i) != null && table.at(i).action() == FlowRule.Action.ROUTE_TO_GROUP) {
        users.merge(table.at(i).groupId(), 1, Integer::sum);
      }
    }
    for (int id = 1; id <= 4; id++) {
      assertEquals(users.getOrDefault(id, 0), table.usersOf(id));
    }
    assertTrue(table.equals(RouteRules.of(model.values())));
  }

  @Test
  void switchesThatAreAlikeShareThePagesThatAnEventChanges() {
    RouteRules first = full(-1);
    RouteRules second = full(150); // its own prefix, in the middle page
    RouteRules third = full(7); // in the first page
    assertTrue(sharePageOf(0, first, second));
    assertFalse(sharePageOf(150, first, second));
    assertTrue(sharePageOf(299, first, third));
    // Equal pages that another one came between are not one yet; the next event makes them one.
    assertFalse(sharePageOf(150, first, third));
    RouteRules firstAfter = changed(first, 160);
    RouteRules thirdAfter = changed(third, 160);
    assertTrue(sharePageOf(150, firstAfter, thirdAfter));
    assertSame(rules[160][2], thirdAfter.at(160));
    assertSame(rules[160][1], third.at(160));
  }

  private static boolean sharePageOf(int i, RouteRules a, RouteRules b) {
    return a.pages[i >> RouteRules.PAGE_BITS] == b.pages[i >> RouteRules.PAGE_BITS];
  }

  /** As the loop and a what-if do, which computes on a thread of its own. */
  @Property(tries = 60)
  void threadsThatChangeAlikeTablesAtOnceGetTheRulesThatEachHasPut(@ForAll long seed)
      throws Exception {
    CyclicBarrier bothAreReady = new CyclicBarrier(2);
    Callable<Void> one = () -> changeAgainAndAgain(seed, bothAreReady, new SplittableRandom(1));
    Callable<Void> other = () -> changeAgainAndAgain(seed, bothAreReady, new SplittableRandom(2));
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (Future<Void> ended : threads.invokeAll(List.of(one, other))) {
        ended.get();
      }
    } finally {
      threads.shutdown();
    }
  }

  /** Versions that are the other thread's too, but for a rule that each has sometimes. */
  private Void changeAgainAndAgain(long seed, CyclicBarrier start, SplittableRandom own)
      throws Exception {
    SplittableRandom common = new SplittableRandom(seed);
    start.await();
    for (int fabric = 0; fabric < 50; fabric++) {
      RouteRules table = RouteRules.on(index);
      Map<Integer, FlowRule> model = new TreeMap<>();
      for (int version = 0; version < 20; version++) {
        RouteRules.Editor editor = new RouteRules.Editor(table);
        change(common, 1, editor, model);
        change(own, own.nextInt(20) / 19, editor, model);
        table = editor.done();
        for (int i = 0; i < PREFIXES; i++) {
          assertSame(model.get(i), table.at(i));
        }
      }
      assertIs(model, table);
    }
    return null;
  }

  private RouteRules full(int without) {
    RouteRules.Editor editor = new RouteRules.Editor(RouteRules.on(index));
    for (int i = 0; i < PREFIXES; i++) {
      if (i != without) {
        editor.put(i, rules[i][1]);
      }
    }
    return editor.done();
  }

  private RouteRules changed(RouteRules from, int i) {
    RouteRules.Editor editor = new RouteRules.Editor(from);
    editor.put(i, rules[i][2]);
    return editor.done();
  }
}
