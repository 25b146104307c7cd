package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.evenweave.engine.forwarding.DesiredState;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.engine.forwarding.PairRates;
import org.evenweave.engine.forwarding.PlanPreview;
import org.evenweave.engine.forwarding.TableUse;
import org.evenweave.engine.port.SwitchOperation.Kind;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * Writes the answer to a what-if: the differences between the present network and the one after the
 * change.
 */
final class WhatIfJson {
  /** Groups and pairs that are listed; all are counted. */
  private static final int MOST_ROWS = 1000;

  /** Above, pairs are not computed: a million of them take seconds. */
  private static final int MOST_ENDPOINTS = 1000;

  private final ObjectNode root;
  private final DesiredState before;
  private final DesiredState after;

  WhatIfJson(ObjectNode root, DesiredState before, DesiredState after) {
    this.root = root;
    this.before = before;
    this.after = after;
  }

  /**
   * {@code "oversubscription":{"before":1.01,"after":1.02},"switches":[{"switch":"s1-0",
   * "table":1024,"entries":{"before":256,"after":512},"oversubscription":{..}},..]}: the switches
   * where one of the two changes.
   */
  void addTables() {
    TableUse then = TableUse.of(after);
    TableUse now = TableUse.of(before);
    change(
        root.putObject("oversubscription"),
        now.worstOversubscription(),
        then.worstOversubscription());
    ArrayNode switches = root.putArray("switches");
    Fabric fabric = after.routing().snapshot().fabric();
    Fabric known = before.routing().snapshot().fabric();
    for (String id : fabric.switchIds()) {
      long entriesBefore = known.indexOf(id) < 0 ? 0 : now.entries(id);
      double worstBefore = known.indexOf(id) < 0 ? 1 : now.oversubscription(id);
      if (entriesBefore != then.entries(id) || worstBefore != then.oversubscription(id)) {
        ObjectNode row = switches.addObject().put("switch", id);
        if (then.table(id) != Fabric.UNLIMITED) {
          row.put("table", then.table(id));
        }
        row.putObject("entries").put("before", entriesBefore).put("after", then.entries(id));
        change(row.putObject("oversubscription"), worstBefore, then.oversubscription(id));
      }
    }
  }

  private static void change(ObjectNode node, double before, double after) {
    node.put("before", before).put("after", after);
  }

  /**
   * {@code "groupsChanged":12,"groups":[{"switch":"s1-0","destination":"s1-2","ports":[{"port":1,
   * "via":"s2-0","before":{"wanted":1,"slots":43},"after":{"wanted":1,"slots":64}},..]},..]}: the
   * groups with other weights or slots. A port without {@code before} or {@code after} is in none,
   * and a destination with one next hop has no group.
   */
  void addGroups() {
    Map<List<String>, GroupState> now = byUse(before);
    Map<List<String>, GroupState> then = byUse(after);
    TreeSet<List<String>> uses = new TreeSet<>(Comparator.comparing(Object::toString));
    uses.addAll(now.keySet());
    uses.addAll(then.keySet());
    ArrayNode groups = root.arrayNode();
    int changed = 0;
    for (List<String> use : uses) {
      TreeMap<Integer, Member> a = members(now.get(use));
      TreeMap<Integer, Member> b = members(then.get(use));
      if (!a.equals(b)) {
        changed++;
        if (groups.size() < MOST_ROWS) {
          addGroup(groups.addObject(), use, a, b);
        }
      }
    }
    root.put("groupRowsChanged", changed).set("groups", groups);
  }

  private static void addGroup(
      ObjectNode row, List<String> use, Map<Integer, Member> before, Map<Integer, Member> after) {
    row.put("switch", use.get(0)).put("destination", use.get(1));
    if (use.size() > 2) {
      row.put("source", use.get(2));
    }
    ArrayNode ports = row.putArray("ports");
    TreeSet<Integer> numbers = new TreeSet<>(before.keySet());
    numbers.addAll(after.keySet());
    for (int number : numbers) {
      Member a = before.get(number);
      Member b = after.get(number);
      ObjectNode port = ports.addObject().put("port", number).put("via", (b != null ? b : a).via);
      put(port, "before", a);
      put(port, "after", b);
    }
  }

  private static void put(ObjectNode port, String when, Member member) {
    if (member != null) {
      port.putObject(when)
          .put("wanted", member.weight)
          .put("slots", member.slots)
          .put("share", member.share);
    }
  }

  /** By switch and destination, and by source for a group of a pair. */
  private static Map<List<String>, GroupState> byUse(DesiredState state) {
    Map<List<String>, GroupState> groups = new HashMap<>();
    for (GroupState group : state.groups()) {
      for (String destination : group.destinations()) {
        groups.put(List.of(group.switchId(), destination), group);
      }
      for (List<String> pair : group.pairs()) {
        groups.put(List.of(group.switchId(), pair.get(1), pair.get(0)), group);
      }
    }
    return groups;
  }

  private static TreeMap<Integer, Member> members(GroupState group) {
    TreeMap<Integer, Member> members = new TreeMap<>();
    for (int i = 0; group != null && i < group.memberCount(); i++) {
      members.put(group.port(i), new Member(group, i));
    }
    return members;
  }

  /** One port of a group. */
  private static final class Member {
    final String via;
    final long weight;
    final int slots;
    final double share;

    Member(GroupState group, int i) {
      via = group.via(i);
      weight = group.idealWeight(i);
      slots = group.slotCount(i);
      share = group.realisedShare(i);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Member
          && weight == ((Member) other).weight
          && slots == ((Member) other).slots;
    }

    @Override
    public int hashCode() {
      return Objects.hash(weight, slots);
    }
  }

  /** One pair whose throughput changes. */
  private static final class Pair {
    final String from;
    final String to;
    final double before;
    final double after;

    Pair(String from, String to, double before, double after) {
      this.from = from;
      this.to = to;
      this.before = before;
      this.after = after;
    }

    double kept() {
      return before == 0 ? Double.POSITIVE_INFINITY : after / before;
    }
  }

  /**
   * {@code "pairsChanged":8,"cutPairs":0,"pairs":[{"from":"s1-0","to":"s1-2","beforeBps":..,
   * "afterBps":..},..]}: the pairs whose throughput changes, first those that lose the most.
   *
   * @return the throughputs after the change; null of a fabric that is too large for them
   */
  PairRates addPairs() {
    if (after.routing().destinations().length > MOST_ENDPOINTS) {
      root.put("pairsLeftOut", "there are more than " + MOST_ENDPOINTS + " switches with hosts");
      return null;
    }
    PairRates now = PairRates.of(before);
    PairRates then = PairRates.of(after);
    Map<String, Integer> indexBefore = new HashMap<>();
    Fabric known = before.routing().snapshot().fabric();
    for (int i = 0; i < now.endpoints().length; i++) {
      indexBefore.put(known.switchId(now.endpoints()[i]), i);
    }
    List<Pair> pairs = changedPairs(now, then, indexBefore);
    pairs.sort(Comparator.comparingDouble(Pair::kept));
    root.put("pairsChanged", pairs.size());
    root.put("cutPairs", pairs.stream().filter(pair -> pair.after == 0).count());
    ArrayNode rows = root.putArray("pairs");
    for (Pair pair : pairs.subList(0, Math.min(pairs.size(), MOST_ROWS))) {
      rows.addObject()
          .put("from", pair.from)
          .put("to", pair.to)
          .put("beforeBps", Math.round(pair.before))
          .put("afterBps", Math.round(pair.after));
    }
    return then;
  }

  private List<Pair> changedPairs(PairRates now, PairRates then, Map<String, Integer> indexBefore) {
    Fabric fabric = after.routing().snapshot().fabric();
    List<Pair> pairs = new ArrayList<>();
    int[] endpoints = then.endpoints();
    for (int s = 0; s < endpoints.length; s++) {
      for (int d = 0; d < endpoints.length; d++) {
        Integer sourceBefore = indexBefore.get(fabric.switchId(endpoints[s]));
        Integer destinationBefore = indexBefore.get(fabric.switchId(endpoints[d]));
        double bps =
            sourceBefore == null || destinationBefore == null
                ? 0
                : now.bps(sourceBefore, destinationBefore);
        if (s != d && bps != then.bps(s, d)) {
          pairs.add(
              new Pair(
                  fabric.switchId(endpoints[s]),
                  fabric.switchId(endpoints[d]),
                  bps,
                  then.bps(s, d)));
        }
      }
    }
    return pairs;
  }

  /**
   * {@code "plan":{"groupsChanged":12,"flowsChanged":0,"rounds":[{"switches":["s1-0"],
   * "waits":false,"groups":{"added":0,"changed":1,"deleted":0},
   * "flows":{"put":0,"deleted":0}},..]}}.
   */
  void addPlan(PlanPreview plan) {
    ObjectNode node =
        root.putObject("plan")
            .put("groupsChanged", plan.groupChanges())
            .put("flowsChanged", plan.flowChanges());
    ArrayNode rounds = node.putArray("rounds");
    for (PlanPreview.Round round : plan.rounds()) {
      ObjectNode row = rounds.addObject();
      ArrayNode switches = row.putArray("switches");
      round.switchIds().forEach(switches::add);
      row.put("waits", round.waits());
      row.putObject("groups")
          .put("added", round.count(Kind.ADD_GROUP))
          .put("changed", round.count(Kind.MODIFY_GROUP))
          .put("deleted", round.count(Kind.DELETE_GROUP));
      row.putObject("flows")
          .put("put", round.count(Kind.PUT_FLOW))
          .put("deleted", round.count(Kind.DELETE_FLOW));
    }
  }
}
