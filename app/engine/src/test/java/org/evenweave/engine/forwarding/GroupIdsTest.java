package org.evenweave.engine.forwarding;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;

class GroupIdsTest {
  private static final Ipv4Prefix A = prefix(0);
  private static final Ipv4Prefix B = prefix(1);
  private static final Ipv4Prefix C = prefix(2);

  private static Ipv4Prefix prefix(int i) {
    return Ipv4Prefix.of(10 << 24 | i << 8, 24);
  }

  /** The tables of a switch to which group 1 of ports 1 and 2 was added, and so on. */
  private static SwitchTables groups(int[]... ports) {
    SwitchTables tables = SwitchTables.EMPTY;
    for (int i = 0; i < ports.length; i++) {
      SelectGroup group = SelectGroup.ofSlots(i + 1, ports[i]);
      tables = tables.after(List.of(SwitchOperation.addGroup(group)));
    }
    return tables;
  }

  private static SwitchTables with(SwitchTables tables, Ipv4Prefix prefix, int groupId) {
    return tables.after(List.of(SwitchOperation.putFlow(FlowRule.routeToGroup(prefix, groupId))));
  }

  private static GroupIds ids(SwitchTables before) {
    return new GroupIds(before, before::usersOf, () -> IntStream.iterate(1, id -> id + 1));
  }

  /** What is wanted towards destinations of equal distance, one for each prefix. */
  private static SharedGroup wanted(SwitchTables before, int distance, Ipv4Prefix... prefixes) {
    SharedGroup group = new SharedGroup(null);
    for (Ipv4Prefix prefix : prefixes) {
      add(group, before, prefix, distance);
    }
    return group;
  }

  private static void add(SharedGroup group, SwitchTables before, Ipv4Prefix prefix, int distance) {
    group.add(1, distance);
    FlowRule rule = before.routeTo(prefix);
    if (rule != null && before.group(rule.groupId()) != null) {
      group.use(rule.groupId(), 1);
    }
  }

  private static int[] assign(GroupIds ids, List<SharedGroup> groups, int[]... slotPorts) {
    return ids.assign(
        groups,
        Arrays.stream(slotPorts)
            .map(ports -> SelectGroup.ofSlots(0, ports))
            .collect(Collectors.toList()));
  }

  @Test
  void aGroupGrowsOutOfTheOneThatMostOfItsPrefixesUse() {
    SwitchTables before = groups(new int[] {1, 2}, new int[] {2, 3});
    SwitchTables used = with(with(with(before, A, 2), B, 1), C, 2);
    GroupIds ids = ids(used);
    assertEquals(2, ids.installedFor(wanted(used, 1, A, B, C)).id());
    assertEquals(1, ids.installedFor(wanted(used, 1, B)).id());
    SharedGroup split = wanted(used, 1, A, B);
    assertEquals(1, ids.installedFor(split).id(), "the lower of two that as many use");
  }

  @Test
  void aGroupOfPrefixesThatUseNoneIsNew() {
    SwitchTables before = with(groups(new int[] {1, 2}), A, 7);
    GroupIds ids = ids(before);
    assertNull(ids.installedFor(wanted(before, 1, A)), "group 7 is not installed");
    assertNull(ids.installedFor(wanted(before, 1, B)));
    assertArrayEquals(new int[] {2}, assign(ids, List.of(wanted(before, 1, B)), new int[] {1, 3}));
  }

  @Test
  void aGroupThatNeedsNoChangeKeepsItsIdWhoeverUsesIt() {
    SwitchTables before = with(with(groups(new int[] {1, 2}), A, 1), B, 1);
    List<SharedGroup> parted = List.of(wanted(before, 1, A), wanted(before, 1, B));
    assertArrayEquals(
        new int[] {2, 1}, assign(ids(before), parted, new int[] {1, 1}, new int[] {1, 2}));
  }

  @Test
  void aGroupChangesInPlaceIfAllItsUsersDo() {
    SwitchTables before = with(with(groups(new int[] {1, 2}), A, 1), B, 1);
    assertArrayEquals(
        new int[] {1}, assign(ids(before), List.of(wanted(before, 2, A, B)), new int[] {3, 4}));
    List<SharedGroup> parted = List.of(wanted(before, 2, A), wanted(before, 2, B));
    assertArrayEquals(
        new int[] {2, 3}, assign(ids(before), parted, new int[] {3, 4}, new int[] {4, 5}));
  }

  @Test
  void aUserThatLeavesTheFabricDoesNotHinderAChange() {
    SwitchTables before = with(with(groups(new int[] {1, 2}), A, 1), B, 1);
    GroupIds ids = new GroupIds(before, id -> before.usersOf(id) - 1, () -> IntStream.of(9));
    assertArrayEquals(new int[] {1}, assign(ids, List.of(wanted(before, 2, B)), new int[] {3, 4}));
  }

  @Test
  void aGroupThatIsJoinedChangesInPlaceOnlyIfItMerelyGainsNextHops() {
    SwitchTables before = with(groups(new int[] {1, 2}), A, 1);
    List<SharedGroup> joined = List.of(wanted(before, 2, A, B));
    assertArrayEquals(new int[] {1}, assign(ids(before), joined, new int[] {1, 2, 3}));
    assertArrayEquals(new int[] {2}, assign(ids(before), joined, new int[] {1, 1}));
  }

  @Test
  void aGroupOfUnequalDistancesDoesNotChangeInPlaceIfItLosesAndGainsNextHops() {
    SwitchTables before = with(with(groups(new int[] {1, 2}), A, 1), B, 1);
    SharedGroup unequal = wanted(before, 2, A, B);
    unequal.farthest = 3;
    assertArrayEquals(new int[] {2}, assign(ids(before), List.of(unequal), new int[] {2, 3}));
    assertArrayEquals(new int[] {1}, assign(ids(before), List.of(unequal), new int[] {2, 2}));
  }

  @Test
  void aNewGroupGetsTheFirstCandidateThatIsNotInTheSwitch() {
    SwitchTables before = groups(new int[] {1, 2}, new int[] {2, 3});
    GroupIds ids = new GroupIds(before, before::usersOf, () -> IntStream.of(2, 8, 1, 5, 6));
    List<SharedGroup> two = List.of(wanted(before, 1, A), wanted(before, 1, B));
    assertArrayEquals(new int[] {8, 5}, assign(ids, two, new int[] {1}, new int[] {3}));
  }

  /** A plan that a switch refused to complete has left it behind. */
  @Test
  void aGroupThatNoPrefixUsesIsUsedIfItHasTheBuckets() {
    SwitchTables before = with(groups(new int[] {3, 4}, new int[] {3, 4}), A, 1);
    List<SharedGroup> two = List.of(wanted(before, 1, B), wanted(before, 1, C));
    assertArrayEquals(
        new int[] {2, 3}, assign(ids(before), two, new int[] {3, 4}, new int[] {3, 4}));
  }

  /**
   * Against the rounds of a plan, played one by one: before its turn a prefix has some of its old
   * next hops, afterwards some of its new ones; and some of either even if the switch refuses all
   * changes of groups and carries out the changes of rules.
   */
  @Property(tries = 3000)
  void noPrefixEverHasNextHopsThatAreNeitherOldNorNew(
      @ForAll @IntRange(min = 1, max = 5) int prefixes, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<Ipv4Prefix, Integer> distance = new HashMap<>();
    SwitchTables before = groups(anyPorts(random), anyPorts(random), anyPorts(random));
    List<List<Ipv4Prefix>> prefixesOf = new ArrayList<>();
    for (int i = 0; i < prefixes; i++) {
      distance.put(prefix(i), 1 + random.nextInt(2));
      if (random.nextInt(5) > 0) {
        before = with(before, prefix(i), 1 + random.nextInt(3));
      }
      if (i == 0 || random.nextInt(3) == 0) {
        prefixesOf.add(new ArrayList<>());
      }
      prefixesOf.get(random.nextInt(prefixesOf.size())).add(prefix(i));
    }
    prefixesOf.removeIf(List::isEmpty);
    List<SharedGroup> groups = new ArrayList<>();
    for (List<Ipv4Prefix> own : prefixesOf) {
      SharedGroup group = new SharedGroup(null);
      for (Ipv4Prefix prefix : own) {
        add(group, before, prefix, distance.get(prefix));
      }
      groups.add(group);
    }
    int[][] slotPorts = new int[groups.size()][];
    Arrays.setAll(slotPorts, g -> anyPorts(random));
    int[] ids = assign(ids(before), groups, slotPorts);
    assertEquals(ids.length, Arrays.stream(ids).distinct().count());
    for (int g = 0; g < ids.length; g++) {
      for (Ipv4Prefix prefix : prefixesOf.get(g)) {
        FlowRule rule = before.flows().get(prefix.toString());
        Set<Integer> oldHops = rule == null ? Set.of() : ports(before, rule.groupId());
        Set<Integer> newHops = setOf(slotPorts[g]);
        for (int round = 0; round <= 3; round++) {
          boolean moved = round >= distance.get(prefix);
          int used = moved ? ids[g] : rule == null ? 0 : rule.groupId();
          Set<Integer> now = held(before, after(round, before, groups, slotPorts, ids), used);
          assertTrue(
              (moved ? newHops : oldHops).containsAll(now),
              prefix + " has " + now + ", of old " + oldHops + " and new " + newHops);
          Set<Integer> refused = held(before, added(before, slotPorts, ids), used);
          assertTrue(
              oldHops.containsAll(refused) || newHops.containsAll(refused),
              prefix + " has " + refused + ", of old " + oldHops + " and new " + newHops);
        }
      }
    }
  }

  /** What a group of the switch holds, be it one that changes or not; nothing without one. */
  private static Set<Integer> held(
      SwitchTables before, Map<Integer, Set<Integer>> now, int groupId) {
    boolean installed = before.groups().containsKey(groupId);
    return now.getOrDefault(groupId, installed ? ports(before, groupId) : Set.of());
  }

  /** The groups added, before any other changes: by id. */
  private static Map<Integer, Set<Integer>> added(
      SwitchTables before, int[][] slotPorts, int[] ids) {
    Map<Integer, Set<Integer>> ports = new HashMap<>();
    for (int g = 0; g < ids.length; g++) {
      if (!before.groups().containsKey(ids[g])) {
        ports.put(ids[g], setOf(slotPorts[g]));
      }
    }
    return ports;
  }

  /** The same, and the groups changed in place up to a round. */
  private static Map<Integer, Set<Integer>> after(
      int round, SwitchTables before, List<SharedGroup> groups, int[][] slotPorts, int[] ids) {
    Map<Integer, Set<Integer>> ports = added(before, slotPorts, ids);
    for (int g = 0; g < ids.length; g++) {
      SelectGroup old = before.groups().get(ids[g]);
      SelectGroup wanted = SelectGroup.ofSlots(ids[g], slotPorts[g]);
      SharedGroup group = groups.get(g);
      if (old != null && round >= GroupChange.round(old, wanted, group.nearest, group.farthest)) {
        ports.put(ids[g], setOf(wanted.memberPorts()));
      }
    }
    return ports;
  }

  private static Set<Integer> ports(SwitchTables tables, int groupId) {
    return setOf(tables.groups().get(groupId).memberPorts());
  }

  private static Set<Integer> setOf(int[] ports) {
    return Arrays.stream(ports).boxed().collect(Collectors.toCollection(HashSet::new));
  }

  /** One to three slots of four ports. */
  private static int[] anyPorts(SplittableRandom random) {
    return random.ints(1 + random.nextInt(3), 1, 5).toArray();
  }
}
