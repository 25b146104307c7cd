package org.evenweave.engine.port;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The groups and flow rules of one switch that are Evenweave's, as read back or as wanted.
 * Immutable; versions share what they have in common, and an {@link Editor} makes the next one.
 */
public final class SwitchTables {
  public static final SwitchTables EMPTY =
      new SwitchTables(GroupTable.EMPTY, RouteRules.EMPTY, PairRules.EMPTY, new TreeMap<>());

  final GroupTable groups;

  /** The rules that route prefixes. */
  final RouteRules routes;

  /** The rules that route pairs of prefixes, and win against those. */
  final PairRules pairs;

  /** All other rules, by {@link FlowRule#key}. */
  final SortedMap<String, FlowRule> others;

  /** All rules, made when somebody asks for them. */
  private Map<String, FlowRule> flows;

  private SwitchTables(
      GroupTable groups, RouteRules routes, PairRules pairs, SortedMap<String, FlowRule> others) {
    this.groups = groups;
    this.routes = routes;
    this.pairs = pairs;
    this.others = others;
  }

  /**
   * @param groups by group id
   * @param flows by {@link FlowRule#key}
   */
  public SwitchTables(Map<Integer, SelectGroup> groups, Map<String, FlowRule> flows) {
    this.groups = GroupTable.of(groups.values());
    this.others = new TreeMap<>();
    RouteRules.Editor editor = new RouteRules.Editor(RouteRules.EMPTY);
    PairRules.Editor pairEditor = new PairRules.Editor(PairRules.EMPTY);
    for (FlowRule rule : flows.values()) {
      if (rule.isOfPair()) {
        pairEditor.put(rule);
      } else if (rule.isRoute()) {
        editor.put(rule);
      } else {
        others.put(rule.key(), rule);
      }
    }
    this.routes = editor.done();
    this.pairs = pairEditor.done();
  }

  /** By group id, rising. */
  public Map<Integer, SelectGroup> groups() {
    return Collections.unmodifiableMap(groups.asMap());
  }

  /** The group of this id, or null. */
  public SelectGroup group(int id) {
    return groups.get(id);
  }

  /** Visits every group, by rising id. */
  public void forEachGroup(Consumer<SelectGroup> visitor) {
    for (int i = 0; i < groups.size(); i++) {
      visitor.accept(groups.at(i));
    }
  }

  public int groupCount() {
    return groups.size();
  }

  /** By {@link FlowRule#key}, rising; made at the first call, so not for every switch. */
  public Map<String, FlowRule> flows() {
    if (flows == null) {
      SortedMap<String, FlowRule> all = new TreeMap<>(others);
      routes.forEach(rule -> all.put(rule.key(), rule));
      pairs.forEach(rule -> all.put(rule.key(), rule));
      flows = Collections.unmodifiableMap(all);
    }
    return flows;
  }

  public int flowCount() {
    return routes.size() + pairs.size() + others.size();
  }

  /** How many rules route prefixes. */
  public int routeCount() {
    return routes.size();
  }

  /** Visits every rule. */
  public void forEachFlow(Consumer<FlowRule> visitor) {
    routes.forEach(visitor);
    pairs.forEach(visitor);
    others.values().forEach(visitor);
  }

  /** Visits every rule that routes a prefix to a group or a port, by rising prefix. */
  public void forEachRoute(Consumer<FlowRule> visitor) {
    routes.forEach(visitor);
  }

  /** Visits every rule that routes a prefix which is another one or inside it, by rising prefix. */
  public void forEachRouteIn(Ipv4Prefix outer, Consumer<FlowRule> visitor) {
    routes.forEachIn(outer, visitor);
  }

  /** Visits every rule that routes a prefix which another one is inside, by rising length. */
  public void forEachRouteAround(Ipv4Prefix inner, Consumer<FlowRule> visitor) {
    routes.forEachAround(inner, visitor);
  }

  /** Visits every rule that does not route a prefix. */
  public void forEachBesideRoutes(Consumer<FlowRule> visitor) {
    pairs.forEach(visitor);
    others.values().forEach(visitor);
  }

  /** Visits every rule that routes a pair of prefixes, by rising destination and source. */
  public void forEachPair(Consumer<FlowRule> visitor) {
    pairs.forEach(visitor);
  }

  /** The rules that route pairs to a destination. */
  public Collection<FlowRule> pairsTo(Ipv4Prefix destination) {
    return pairs.to(destination);
  }

  /** How many rules route pairs of prefixes. */
  public int pairCount() {
    return pairs.size();
  }

  /** The rule that routes a pair of prefixes, which another one matches too, or null. */
  public FlowRule pairMatching(FlowRule rule) {
    return pairs.matching(rule);
  }

  /** The rule that routes a prefix to a group or a port, or null. */
  public FlowRule routeTo(Ipv4Prefix prefix) {
    return routes.get(prefix);
  }

  /** The same for a prefix that has this number in an index. */
  public FlowRule routeTo(PrefixIndex index, int number, Ipv4Prefix prefix) {
    return routes.index() == index ? routes.at(number) : routes.get(prefix);
  }

  /** How many rules route to a group. */
  public int usersOf(int groupId) {
    return routes.usersOf(groupId) + pairs.usersOf(groupId);
  }

  /**
   * Visits the prefixes that are routed to a group, from anywhere or from a source, by their
   * numbers in an index; those that it does not have are left out, and some may come twice.
   */
  public void forEachUser(int groupId, PrefixIndex index, IntConsumer visitor) {
    routes.forEachUser(groupId, index, visitor);
    pairs.forEachUser(groupId, index, visitor);
  }

  /** Whether there is a rule that matches what this one does. */
  public boolean hasMatchOf(FlowRule rule) {
    return others.containsKey(rule.key())
        || (rule.match() == FlowRule.Match.IPV4_DESTINATION && routes.get(rule.prefix()) != null)
        || (rule.isOfPair() && pairs.matching(rule) != null);
  }

  /**
   * The distinct ports by which packets to a prefix may leave, wherever they come from, rising;
   * none without a rule that forwards them, or without its group. Not to be changed.
   */
  public int[] outPorts(Ipv4Prefix prefix) {
    FlowRule rule = routes.get(prefix);
    int[] ports = rule == null ? new int[0] : outPorts(rule);
    Collection<FlowRule> ofPairs = pairs.to(prefix);
    return ofPairs.isEmpty()
        ? ports
        : Stream.concat(Stream.of(ports), ofPairs.stream().map(this::outPorts))
            .flatMapToInt(Arrays::stream)
            .sorted()
            .distinct()
            .toArray();
  }

  /** The distinct ports by which packets may leave that match a rule, rising; not to be changed. */
  public int[] outPorts(FlowRule rule) {
    if (rule.action() == FlowRule.Action.ROUTE_TO_PORT) {
      return new int[] {rule.outPort()};
    }
    SelectGroup group =
        rule.action() == FlowRule.Action.ROUTE_TO_GROUP ? groups.get(rule.groupId()) : null;
    return group == null ? new int[0] : group.memberPorts();
  }

  /** Every port that a rule forwards routed packets to. */
  public Set<Integer> routedPorts() {
    Set<Integer> ports = new TreeSet<>();
    for (int i = 0; i < groups.size(); i++) {
      Arrays.stream(groups.at(i).memberPorts()).forEach(ports::add);
    }
    Consumer<FlowRule> addPort =
        rule -> {
          if (rule.action() == FlowRule.Action.ROUTE_TO_PORT) {
            ports.add(rule.outPort());
          }
        };
    routes.forEach(addPort);
    pairs.forEach(addPort);
    return ports;
  }

  /** The same with these rules that route prefixes instead of all others. */
  public SwitchTables withRoutes(Collection<FlowRule> rules) {
    return new SwitchTables(groups, RouteRules.of(rules), pairs, others);
  }

  /** These tables after more operations; deleting what is not there changes nothing. */
  public SwitchTables after(List<SwitchOperation> operations) {
    Editor editor = new Editor(this);
    operations.forEach(editor::perform);
    return editor.done();
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof SwitchTables
            && ((SwitchTables) other).groups.equals(groups)
            && ((SwitchTables) other).routes.equals(routes)
            && ((SwitchTables) other).pairs.equals(pairs)
            && ((SwitchTables) other).others.equals(others));
  }

  @Override
  public int hashCode() {
    return ((31 * groups.hashCode() + routes.hashCode()) * 31 + pairs.hashCode()) * 31
        + others.hashCode();
  }

  @Override
  public String toString() {
    return "groups " + groups().values() + " flows " + flows().values();
  }

  /** Makes tables that differ from others in some rules and groups; used once, by one thread. */
  public static final class Editor {
    private final RouteRules.Editor routes;

    /** Null until a rule of a pair changes, as in most tables none does. */
    private PairRules.Editor pairs;

    private final PrefixIndex index;
    private GroupTable groups;
    private SortedMap<String, FlowRule> others;
    private final SwitchTables from;

    /** Starts from the rules and groups of {@code from}. */
    public Editor(SwitchTables from) {
      this.from = from;
      routes = new RouteRules.Editor(from.routes);
      index = from.routes.index();
      groups = from.groups;
      others = from.others;
    }

    /** Starts from nothing; rules that route will be for prefixes of the index. */
    public Editor(PrefixIndex index) {
      this(
          new SwitchTables(
              GroupTable.EMPTY, RouteRules.on(index), PairRules.EMPTY, new TreeMap<>()));
    }

    /** Adds a rule, in the place of one with the same match. */
    public void put(FlowRule rule) {
      if (rule.isOfPair()) {
        pairs().put(rule);
        return;
      }
      if (rule.isRoute()) {
        if (!routes.put(rule) && others.containsKey(rule.key())) {
          changeableOthers().remove(rule.key());
        }
        return;
      }
      if (rule.match() == FlowRule.Match.IPV4_DESTINATION) {
        routes.remove(rule.prefix());
      }
      if (!rule.equals(others.get(rule.key()))) {
        changeableOthers().put(rule.key(), rule);
      }
    }

    /**
     * Adds a rule that routes.
     *
     * @param number of its prefix in an index
     */
    public void putRoute(PrefixIndex itsIndex, int number, FlowRule rule) {
      if (index == itsIndex) {
        routes.put(number, rule);
      } else {
        routes.put(rule);
      }
    }

    /** Takes out the rule that routes a prefix, if there is one. */
    public void removeRoute(Ipv4Prefix prefix) {
      routes.remove(prefix);
    }

    /** Adds a group, in the place of the one with the same id. */
    public void put(SelectGroup group) {
      if (!group.equals(groups.get(group.id()))) {
        groups = groups.with(group);
      }
    }

    /** The group of this id as it is now, or null. */
    public SelectGroup group(int id) {
      return groups.get(id);
    }

    public void removeGroup(int id) {
      groups = groups.without(id);
    }

    void perform(SwitchOperation operation) {
      switch (operation.kind()) {
        case ADD_GROUP:
        case MODIFY_GROUP:
          put(operation.group());
          break;
        case DELETE_GROUP:
          removeGroup(operation.group().id());
          break;
        case PUT_FLOW:
          put(operation.flow());
          break;
        case DELETE_FLOW:
          remove(operation.flow());
          break;
        default:
          throw new AssertionError(operation.kind());
      }
    }

    /** Takes out the rule with the same match, if there is one. */
    public void remove(FlowRule rule) {
      if (rule.isOfPair()) {
        pairs().remove(rule);
        return;
      }
      if (rule.match() == FlowRule.Match.IPV4_DESTINATION) {
        routes.remove(rule.prefix());
      }
      if (others.containsKey(rule.key())) {
        changeableOthers().remove(rule.key());
      }
    }

    private PairRules.Editor pairs() {
      if (pairs == null) {
        pairs = new PairRules.Editor(from.pairs);
      }
      return pairs;
    }

    private SortedMap<String, FlowRule> changeableOthers() {
      if (others == from.others) {
        others = new TreeMap<>(others);
      }
      return others;
    }

    /** The tables; {@code from} itself if nothing differs. */
    public SwitchTables done() {
      RouteRules newRoutes = routes.done();
      PairRules newPairs = pairs == null ? from.pairs : pairs.done();
      boolean isFrom =
          newRoutes == from.routes
              && newPairs == from.pairs
              && groups == from.groups
              && others == from.others;
      return isFrom ? from : new SwitchTables(groups, newRoutes, newPairs, others);
    }
  }
}
