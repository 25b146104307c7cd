package org.evenweave.engine.port;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The rules of one switch that route prefixes to a group or a port: at most one for each prefix.
 * Immutable. Rules are kept in pages by the number of their prefix; an {@link Editor} copies only
 * the pages that it changes, so versions of a table share most of their pages, and so do tables of
 * switches that are alike ({@link RulePages}). Comparing two of them costs O(pages that differ).
 */
final class RouteRules {
  static final int PAGE_BITS = 7;
  private static final int PAGE_SIZE = 1 << PAGE_BITS;
  private static final FlowRule[] NO_PAGE = new FlowRule[PAGE_SIZE];

  static final RouteRules EMPTY = on(PrefixIndex.of(List.of()));

  private final PrefixIndex index;

  /** A rule or null for each prefix; may belong to other tables too. */
  final FlowRule[][] pages;

  private final int size;

  /** The groups that rules use, by rising id, and how many use each. */
  private final int[] groupIds;

  private final int[] users;

  private RouteRules(PrefixIndex index, FlowRule[][] pages, int size, int[] groupIds, int[] users) {
    this.index = index;
    this.pages = pages;
    this.size = size;
    this.groupIds = groupIds;
    this.users = users;
  }

  /** How many pages rules for so many prefixes have. */
  static int pageCount(int prefixes) {
    return (prefixes + PAGE_SIZE - 1) >> PAGE_BITS;
  }

  /** No rules yet, with room for these prefixes. */
  static RouteRules on(PrefixIndex index) {
    FlowRule[][] pages = new FlowRule[pageCount(index.size())][];
    Arrays.fill(pages, NO_PAGE);
    return new RouteRules(index, pages, 0, new int[0], new int[0]);
  }

  /** These rules, with room for their prefixes alone. */
  static RouteRules of(Collection<FlowRule> rules) {
    PrefixIndex index =
        PrefixIndex.of(rules.stream().map(FlowRule::prefix).collect(Collectors.toList()));
    Editor editor = new Editor(on(index));
    rules.forEach(editor::put);
    return editor.done();
  }

  int size() {
    return size;
  }

  PrefixIndex index() {
    return index;
  }

  /** The rule of a prefix, or null. */
  FlowRule get(Ipv4Prefix prefix) {
    int i = index.indexOf(prefix);
    return i < 0 ? null : at(i);
  }

  /** The rule of the prefix of this number in {@link #index}, or null. */
  FlowRule at(int i) {
    return pages[i >> PAGE_BITS][i & PAGE_SIZE - 1];
  }

  /** How many rules use a group. */
  int usersOf(int groupId) {
    int found = Arrays.binarySearch(groupIds, groupId);
    return found < 0 ? 0 : users[found];
  }

  /** Every rule, by rising prefix. */
  void forEach(Consumer<FlowRule> visitor) {
    for (FlowRule[] page : pages) {
      for (FlowRule rule : page) {
        if (rule != null) {
          visitor.accept(rule);
        }
      }
    }
  }

  /**
   * Every rule of a prefix that is another one or inside it, by rising prefix; O(log size) and
   * those.
   */
  void forEachIn(Ipv4Prefix outer, Consumer<FlowRule> visitor) {
    int end = index.endIn(outer);
    for (int i = index.firstIn(outer); i < end; i++) {
      FlowRule rule = at(i);
      if (rule != null) {
        visitor.accept(rule);
      }
    }
  }

  /** Every rule of a prefix that another one is inside, by rising length; O(lengths log size). */
  void forEachAround(Ipv4Prefix inner, Consumer<FlowRule> visitor) {
    for (int length = 0; length < inner.length(); length++) {
      if (index.hasLength(length)) {
        FlowRule rule = get(inner.shortened(length));
        if (rule != null) {
          visitor.accept(rule);
        }
      }
    }
  }

  /**
   * Visits the prefixes whose rules use a group, by their numbers in an index; those that it does
   * not have are left out.
   */
  void forEachUser(int groupId, PrefixIndex itsIndex, IntConsumer visitor) {
    for (int left = usersOf(groupId), i = 0; left > 0; i++) {
      FlowRule rule = at(i);
      if (rule != null
          && rule.action() == FlowRule.Action.ROUTE_TO_GROUP
          && rule.groupId() == groupId) {
        left--;
        int number = itsIndex == index ? i : itsIndex.indexOf(rule.prefix());
        if (number >= 0) {
          visitor.accept(number);
        }
      }
    }
  }

  /** Visits every prefix with different rules: the rule before and the rule after, null if none. */
  static void difference(
      RouteRules before, RouteRules after, BiConsumer<FlowRule, FlowRule> visitor) {
    if (before.index != after.index) {
      before.forEach(rule -> visitIfDifferent(rule, after.get(rule.prefix()), visitor));
      after.forEach(
          rule -> {
            if (before.get(rule.prefix()) == null) {
              visitor.accept(null, rule);
            }
          });
      return;
    }
    for (int p = 0; p < after.pages.length; p++) {
      FlowRule[] old = before.pages[p];
      FlowRule[] now = after.pages[p];
      for (int i = 0; old != now && i < PAGE_SIZE; i++) {
        visitIfDifferent(old[i], now[i], visitor);
      }
    }
  }

  private static void visitIfDifferent(
      FlowRule old, FlowRule now, BiConsumer<FlowRule, FlowRule> visitor) {
    if (old != now && (old == null || !old.equals(now))) {
      visitor.accept(old, now);
    }
  }

  @Override
  public boolean equals(Object other) {
    if (this == other) {
      return true;
    }
    if (!(other instanceof RouteRules) || ((RouteRules) other).size != size) {
      return false;
    }
    boolean[] differs = {false};
    difference(this, (RouteRules) other, (old, now) -> differs[0] = true);
    return !differs[0];
  }

  @Override
  public int hashCode() {
    int[] hash = {size};
    forEach(rule -> hash[0] += rule.hashCode());
    return hash[0];
  }

  /** Makes the next version of a table; used once, by one thread. */
  static final class Editor {
    private RouteRules from;
    private FlowRule[][] pages;
    private int size;
    private int[] groupIds;
    private int[] users;

    /** The pages that nobody else has, by number; null if there are none. */
    private BitSet own;

    /** Rules of prefixes that the index does not have. */
    private Map<Ipv4Prefix, FlowRule> outside = Map.of();

    Editor(RouteRules from) {
      start(from);
    }

    private void start(RouteRules newFrom) {
      from = newFrom;
      pages = newFrom.pages;
      size = newFrom.size;
      groupIds = newFrom.groupIds;
      users = newFrom.users;
      own = null;
    }

    /** Replaces the rule of the same prefix; returns whether there is one. */
    boolean put(FlowRule rule) {
      int i = from.index.indexOf(rule.prefix());
      if (i >= 0) {
        return put(i, rule);
      }
      outside = outside.isEmpty() ? new LinkedHashMap<>() : outside;
      return outside.put(rule.prefix(), rule) != null;
    }

    /** The same, given the number of the rule's prefix in the index. */
    boolean put(int i, FlowRule rule) {
      return set(i, rule) != null;
    }

    void remove(Ipv4Prefix prefix) {
      int i = from.index.indexOf(prefix);
      if (i >= 0) {
        set(i, null);
      } else if (!outside.isEmpty()) {
        outside.remove(prefix);
      }
    }

    /** Returns the rule that was there, or null. */
    private FlowRule set(int i, FlowRule rule) {
      int p = i >> PAGE_BITS;
      FlowRule old = pages[p][i & PAGE_SIZE - 1];
      if (old == rule || (old != null && old.equals(rule))) {
        return old;
      }
      if (pages == from.pages) {
        pages = pages.clone();
      }
      setInPage(p, i & PAGE_SIZE - 1, rule);
      size += (rule == null ? 0 : 1) - (old == null ? 0 : 1);
      count(old, -1);
      count(rule, 1);
      return old;
    }

    private void setInPage(int p, int slot, FlowRule rule) {
      if (own == null || !own.get(p)) {
        FlowRule[] known = from.index.pages().edited(p, pages[p], slot, rule);
        if (known != null) {
          pages[p] = known;
          return;
        }
        pages[p] = pages[p].clone();
        own = own == null ? new BitSet() : own;
        own.set(p);
      }
      pages[p][slot] = rule;
    }

    private void count(FlowRule rule, int change) {
      if (rule == null || rule.action() != FlowRule.Action.ROUTE_TO_GROUP) {
        return;
      }
      int found = Arrays.binarySearch(groupIds, rule.groupId());
      if (found < 0) {
        int at = -found - 1;
        groupIds = SortedInts.inserted(groupIds, at, rule.groupId());
        users = SortedInts.inserted(users, at, change);
        return;
      }
      if (users == from.users) {
        users = users.clone();
      }
      users[found] += change;
      if (users[found] == 0) {
        groupIds = SortedInts.removed(groupIds, found);
        users = SortedInts.removed(users, found);
      }
    }

    /** The rules; the editor is not used any more. */
    RouteRules done() {
      if (!outside.isEmpty()) {
        List<FlowRule> rules = new ArrayList<>(outside.values());
        snapshot().forEach(rules::add);
        start(on(from.index.with(outside.keySet())));
        outside = Map.of();
        rules.forEach(this::put);
      }
      if (pages == from.pages) {
        return from;
      }
      for (int p = own == null ? -1 : own.nextSetBit(0); p >= 0; p = own.nextSetBit(p + 1)) {
        pages[p] = from.index.pages().shared(p, pages[p]);
      }
      return snapshot();
    }

    private RouteRules snapshot() {
      return new RouteRules(from.index, pages, size, groupIds, users);
    }
  }
}
