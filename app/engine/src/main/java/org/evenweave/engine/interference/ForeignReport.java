package org.evenweave.engine.interference;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.evenweave.engine.foreign.ForeignGroup;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.foreign.ForeignTables;
import org.evenweave.engine.headers.HeaderClass;
import org.evenweave.engine.headers.HeaderField;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Determines the effect of foreign rules on the fabric's traffic. A rule counts if it wins against
 * one of the engine's, or may win because its priority is the same, for packets that hosts send.
 * Each class of such packets is followed to its end ({@link PacketEffects}). The cost is that of
 * the foreign rules and of what overlaps them; nothing is computed where there are none. Immutable.
 */
public final class ForeignReport {
  public static final ForeignReport NOTHING = new ForeignReport(List.of(), Map.of());

  /** So many parts of the traffic are named for each rule. */
  private static final int MAX_NAMED = 3;

  private final List<ForeignFinding> findings;
  private final Map<String, ForeignTables> tables;

  private ForeignReport(List<ForeignFinding> findings, Map<String, ForeignTables> tables) {
    this.findings = Collections.unmodifiableList(findings);
    this.tables = tables;
  }

  /**
   * Computes what packets meet.
   *
   * @param ports asked for if a rule may win against one of the engine's
   * @param own by switch id, what the switches hold of the engine's
   * @param foreign by switch id, what they hold besides
   * @param ownerOf as {@link org.evenweave.engine.port.SwitchTraits#ownerOf}
   */
  public static ForeignReport of(
      Supplier<FabricPorts> ports,
      Map<String, SwitchTables> own,
      Map<String, ForeignTables> foreign,
      LongFunction<String> ownerOf) {
    Map<String, ForeignTables> some = new TreeMap<>(foreign);
    some.values().removeIf(ForeignTables::isEmpty);
    boolean mayWin =
        some.values().stream().flatMap(held -> held.rules().stream()).anyMatch(RuleHeaders::mayWin);
    return mayWin
        ? new Computation(new NetworkRules(ports.get(), own, some), ownerOf).report(some)
        : harmless(some, ownerOf);
  }

  private static ForeignReport harmless(
      Map<String, ForeignTables> foreign, LongFunction<String> ownerOf) {
    List<ForeignFinding> findings = new ArrayList<>();
    foreign.forEach(
        (id, held) ->
            held.rules().forEach(rule -> findings.add(new Traffic().finding(id, rule, ownerOf))));
    return foreign.isEmpty() ? NOTHING : new ForeignReport(findings, foreign);
  }

  /**
   * Whether another report of the same rules may differ, or something is to be done about them: not
   * if none of them can win against any rule of the engine's.
   */
  public boolean dependsOnOurs() {
    return findings.stream()
        .anyMatch(finding -> RuleHeaders.mayWin(finding.rule()) || finding.rule().bridges());
  }

  /**
   * Whose a rule is: the cookie, and its owner where that is known.
   *
   * @param ownerOf as {@link #of}
   */
  public static String owner(long cookie, LongFunction<String> ownerOf) {
    String name = ownerOf.apply(cookie);
    return (name.isEmpty() ? "" : name + ", ") + "cookie 0x" + Long.toHexString(cookie);
  }

  /** Every foreign rule, harmful ones first; within each, by switch. */
  public List<ForeignFinding> findings() {
    return findings;
  }

  /** Those that are not harmless. */
  public List<ForeignFinding> harmful() {
    return findings.stream().filter(f -> !f.isHarmless()).collect(Collectors.toList());
  }

  /** By switch that has any, the groups that are not Evenweave's. */
  public Map<String, List<ForeignGroup>> groups() {
    Map<String, List<ForeignGroup>> groups = new TreeMap<>();
    tables.forEach(
        (id, held) -> {
          if (!held.groups().isEmpty()) {
            groups.put(id, List.copyOf(held.groups().values()));
          }
        });
    return groups;
  }

  /** Why the fabric is degraded because of others' rules, a sentence each. */
  public List<String> reasons() {
    List<String> reasons =
        harmful().stream().map(ForeignFinding::toString).collect(Collectors.toList());
    Set<String> bridges = new TreeSet<>();
    for (ForeignFinding finding : findings) {
      if (finding.isHarmless() && finding.rule().bridges() && bridges.add(finding.switchId())) {
        reasons.add(
            finding.switchId()
                + ": a rule with action NORMAL makes the switch a bridge for packets that no other"
                + " rule matches, as in standalone mode; set fail_mode=secure");
      }
    }
    tables.forEach(
        (id, held) -> {
          if (held.unexamined() > 0) {
            reasons.add(
                id
                    + " holds "
                    + held.unexamined()
                    + " foreign rules besides the first "
                    + ForeignTables.MAX_RULES
                    + "; what they do is not known");
          }
        });
    return reasons;
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof ForeignReport
            && findings.equals(((ForeignReport) other).findings)
            && tables.equals(((ForeignReport) other).tables));
  }

  @Override
  public int hashCode() {
    return findings.hashCode();
  }

  private static final class Computation {
    private final NetworkRules network;
    private final LongFunction<String> ownerOf;
    private final Arrivals arrivals;
    private final Map<TableEntry, Effect> metLater = new IdentityHashMap<>();
    private final Map<Boolean, PacketEffects> effects = new HashMap<>();

    Computation(NetworkRules network, LongFunction<String> ownerOf) {
      this.network = network;
      this.ownerOf = ownerOf;
      arrivals = new Arrivals(network);
      effects.put(true, new PacketEffects(network, true, metLater));
      effects.put(false, new PacketEffects(network, false, metLater));
    }

    ForeignReport report(Map<String, ForeignTables> foreign) {
      List<ForeignFinding> harmful = new ArrayList<>();
      List<ForeignFinding> harmless = new ArrayList<>();
      Map<TableEntry, Traffic> found = new IdentityHashMap<>();
      foreign
          .keySet()
          .forEach(
              id ->
                  network
                      .rules(id)
                      .foreignIn(0)
                      .forEach(
                          entry -> {
                            if (RuleHeaders.mayWin(entry.foreign)) {
                              found.put(entry, trafficOf(id, entry));
                            }
                          }));
      foreign
          .keySet()
          .forEach(
              id ->
                  network
                      .rules(id)
                      .foreignIn(SwitchRules.SLOTS_TABLE)
                      .forEach(entry -> found.put(entry, trafficOfSlots(id, entry))));
      foreign.forEach(
          (id, held) -> {
            Set<Integer> tables = new TreeSet<>();
            held.rules().forEach(rule -> tables.add(rule.table()));
            for (int table : tables) {
              for (TableEntry entry : network.rules(id).foreignIn(table)) {
                Traffic traffic = found.getOrDefault(entry, laterTraffic(entry));
                ForeignFinding finding = traffic.finding(id, entry.foreign, ownerOf);
                (finding.isHarmless() ? harmless : harmful).add(finding);
              }
            }
          });
      harmful.addAll(harmless);
      return new ForeignReport(harmful, foreign);
    }

    /** An entry of another table than the first: what it does to what others' rules bring it. */
    private Traffic laterTraffic(TableEntry entry) {
      Traffic traffic = new Traffic();
      Effect effect = metLater.getOrDefault(entry, Effect.HARMLESS);
      traffic.add(effect, entry.match);
      return traffic;
    }

    private Traffic trafficOf(String switchId, TableEntry entry) {
      SwitchRules rules = network.rules(switchId);
      Traffic traffic = new Traffic();
      for (int inPort : network.ports().ports(switchId)) {
        HeaderClass coming =
            arrivals.bringsPackets(new SwitchPort(switchId, inPort))
                ? entry.match.with(HeaderField.IN_PORT, inPort)
                : null;
        if (coming == null) {
          continue;
        }
        // Port by port, because rules for other ports need not be taken out then.
        for (HeaderClass visible : rules.visible(0, entry.rank, coming)) {
          for (TableEntry ours : rules.ownIn(0, visible)) {
            // What the engine drops itself nobody else can harm.
            boolean drops = ours.own.action() == FlowRule.Action.DROP;
            HeaderClass both = ours.rank <= entry.rank && !drops ? visible.and(ours.match) : null;
            if (both != null) {
              for (HeaderClass part :
                  rules.minusOwn(0, ours.rank, entry.rank, both, List.of(both))) {
                follow(switchId, inPort, entry, ours.own, part, traffic);
              }
            }
          }
        }
      }
      return traffic;
    }

    /** What an entry beside the slots of large tables does to packets that are sent there. */
    private Traffic trafficOfSlots(String switchId, TableEntry entry) {
      SwitchRules rules = network.rules(switchId);
      Traffic traffic = laterTraffic(entry);
      Consumer<FlowRule> follow =
          ours -> {
            SelectGroup group =
                ours.action() == FlowRule.Action.ROUTE_TO_GROUP
                    ? rules.own.group(ours.groupId())
                    : null;
            HeaderClass sent =
                group != null && group.isLarge()
                    ? RuleHeaders.match(ours).and(SwitchRules.slotsOf(group)).and(entry.match)
                    : null;
            if (sent != null) {
              List<HeaderClass> parts = rules.visible(SwitchRules.SLOTS_TABLE, entry.rank, sent);
              for (int inPort : network.ports().ports(switchId)) {
                parts.forEach(part -> follow(switchId, inPort, entry, ours, part, traffic));
              }
            }
          };
      rules.own.forEachRoute(follow);
      rules.own.forEachPair(follow);
      return traffic;
    }

    private void follow(
        String switchId,
        int inPort,
        TableEntry entry,
        FlowRule ours,
        HeaderClass headers,
        Traffic traffic) {
      HeaderClass coming = headers.with(HeaderField.IN_PORT, inPort);
      if (coming == null) {
        return;
      }
      boolean controllerIsRight =
          ours.prefix() == null || ours.action() == FlowRule.Action.TO_CONTROLLER;
      for (HeaderClass part : arriving(switchId, inPort, HeaderField.leaving(coming), ours)) {
        HeaderClass arriving = HeaderField.arriving(part, inPort);
        if (entry.foreign.table() == SwitchRules.SLOTS_TABLE) {
          arriving = arriving.without(HeaderField.METADATA);
        }
        arriving = arriving.and(coming);
        if (arriving == null) {
          continue;
        }
        Effect effect =
            effects.get(controllerIsRight).of(new SwitchPort(switchId, inPort), entry, arriving);
        traffic.add(effect, named(entry.match, ours));
      }
    }

    /** The traffic, without the gateway's MAC address, which all that is routed has. */
    private static HeaderClass named(HeaderClass foreign, FlowRule ours) {
      HeaderClass both = foreign.and(RuleHeaders.match(ours));
      return foreign.mask(HeaderField.ETH_DST) == 0 ? both.without(HeaderField.ETH_DST) : both;
    }

    /** Probes come from neighbours, unlike what hosts send. */
    private List<HeaderClass> arriving(
        String switchId, int inPort, HeaderClass headers, FlowRule ours) {
      if (ours.match() != FlowRule.Match.LLDP) {
        return arrivals.arriving(switchId, inPort, headers);
      }
      boolean hasPeer = network.ports().peer(new SwitchPort(switchId, inPort)) != null;
      return hasPeer ? List.of(headers) : List.of();
    }
  }

  /** What a rule does to how much. */
  private static final class Traffic {
    private Effect worst = Effect.HARMLESS;
    private final Set<HeaderClass> harmed = new LinkedHashSet<>();

    void add(Effect effect, HeaderClass headers) {
      worst = worst.or(effect);
      if (effect.isHarmful()) {
        harmed.add(headers);
      }
    }

    ForeignFinding finding(String switchId, ForeignRule rule, LongFunction<String> ownerOf) {
      List<String> named =
          harmed.stream()
              .filter(part -> harmed.stream().noneMatch(o -> o != part && o.contains(part)))
              .map(HeaderClass::toString)
              .sorted()
              .collect(Collectors.toList());
      List<String> first = new ArrayList<>(named.subList(0, Math.min(MAX_NAMED, named.size())));
      if (named.size() > MAX_NAMED) {
        first.add("and " + (named.size() - MAX_NAMED) + " more");
      }
      return new ForeignFinding(switchId, rule, owner(rule.cookie(), ownerOf), worst, first);
    }
  }
}
