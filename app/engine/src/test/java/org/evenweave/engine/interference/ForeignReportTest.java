package org.evenweave.engine.interference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.engine.foreign.ForeignAction;
import org.evenweave.engine.foreign.ForeignGroup;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.foreign.ForeignTables;
import org.evenweave.engine.headers.HeaderClass;
import org.evenweave.engine.headers.HeaderField;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.GuardRules;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;

class ForeignReportTest {
  private static final int LEAVES = 3;
  private static final int SPINES = 2;
  private static final int HOST_PORT = 9;
  private static final int OWN_GROUP = 0x4557_0001;
  private static final int FOREIGN_GROUP = 9000;
  private static final int LATER_TABLE = 5;
  private static final long GATEWAY_MAC = 0x024556570001L;

  private final Fabric fabric = fabric();
  private final Map<String, SwitchTables> own = own();
  private final Map<String, ForeignTables> foreign = PlainPackets.nothing(fabric);

  /** Leaf i has port s + 1 to spine s, which has port i + 1 to leaf i. */
  private static Fabric fabric() {
    FabricBuilder builder = new FabricBuilder();
    for (int leaf = 0; leaf < LEAVES; leaf++) {
      builder.addSwitch("s1-" + leaf, 1, Fabric.UNLIMITED);
    }
    for (int spine = 0; spine < SPINES; spine++) {
      builder.addSwitch("s2-" + spine, 2, Fabric.UNLIMITED);
      for (int leaf = 0; leaf < LEAVES; leaf++) {
        builder.addLink("s1-" + leaf + "/" + (spine + 1), "s2-" + spine + "/" + (leaf + 1), 10);
      }
    }
    for (int leaf = 0; leaf < LEAVES; leaf++) {
      builder.addSubnet("s1-" + leaf, prefix(leaf));
    }
    return builder.build();
  }

  private static Ipv4Prefix prefix(int leaf) {
    return Ipv4Prefix.parse("10.0." + leaf + ".0/24");
  }

  private static int host(int leaf, int number) {
    return prefix(leaf).address() | number;
  }

  private static long mac(int leaf) {
    return 0x020000000000L | leaf;
  }

  /** Each leaf knows its host 1. */
  private static Map<String, SwitchTables> own() {
    Map<String, SwitchTables> own = new HashMap<>();
    for (int leaf = 0; leaf < LEAVES; leaf++) {
      List<FlowRule> rules = new ArrayList<>();
      rules.add(FlowRule.arpToController());
      rules.add(FlowRule.prefixToController(prefix(leaf)));
      rules.add(FlowRule.deliver(host(leaf, 1), HOST_PORT, GATEWAY_MAC, mac(leaf)));
      for (int to = 0; to < LEAVES; to++) {
        if (to != leaf) {
          rules.add(FlowRule.routeToGroup(prefix(to), OWN_GROUP));
        }
      }
      int[] ports = {1, 2};
      SelectGroup group = new SelectGroup(OWN_GROUP, ports, new int[] {1, 1});
      own.put("s1-" + leaf, new SwitchTables(Map.of(OWN_GROUP, group), byKey(rules)));
    }
    for (int spine = 0; spine < SPINES; spine++) {
      List<FlowRule> rules = new ArrayList<>();
      for (int to = 0; to < LEAVES; to++) {
        rules.add(FlowRule.routeToPort(prefix(to), to + 1));
      }
      own.put("s2-" + spine, new SwitchTables(Map.of(), byKey(rules)));
    }
    return own;
  }

  private static Map<String, FlowRule> byKey(List<FlowRule> rules) {
    Map<String, FlowRule> flows = new HashMap<>();
    rules.forEach(rule -> flows.put(rule.key(), rule));
    return flows;
  }

  private ForeignReport report() {
    return ForeignReport.of(this::ports, own, foreign, cookie -> "");
  }

  private FabricPorts ports() {
    return FabricPorts.of(
        new Snapshot(1, fabric, List.of()),
        id -> id.startsWith("s1") ? List.of(HOST_PORT) : List.of());
  }

  private void add(String switchId, ForeignRule... rules) {
    foreign.put(switchId, new ForeignTables(List.of(rules), List.of(), 0));
  }

  private static HeaderClass ipTo(int leaf) {
    return HeaderClass.ALL
        .with(HeaderField.ETH_TYPE, HeaderField.TYPE_IPV4)
        .with(HeaderField.IPV4_DST, Integer.toUnsignedLong(prefix(leaf).address()), 0xffffff00L);
  }

  private static ForeignRule.Builder rule(int priority, HeaderClass match) {
    return new ForeignRule.Builder().priority(priority, priority).match(match, new byte[0]);
  }

  private ForeignFinding only() {
    List<ForeignFinding> findings = report().findings();
    assertEquals(1, findings.size());
    return findings.get(0);
  }

  @Test
  void aRuleThatDropsAPrefixLosesItsTraffic() {
    add("s1-1", rule(65_000, ipTo(2)).build());
    assertEquals(
        "s1-1: foreign rule priority=65000,ip,nw_dst=10.0.2.0/24 actions=drop (cookie 0x0):"
            + " ip,nw_dst=10.0.2.0/24 is lost: s1-1 drops them: actions=drop",
        only().toString());
    assertEquals(List.of(only().toString()), report().reasons());
  }

  @Test
  void aRuleForOneTcpPortLosesThatAlone() {
    HeaderClass match =
        HeaderClass.ALL
            .with(HeaderField.ETH_TYPE, HeaderField.TYPE_IPV4)
            .with(HeaderField.IP_PROTO, 6)
            .with(HeaderField.TCP_DST, 6001);
    add("s1-1", rule(65_000, match).build());
    assertEquals(Effect.Kind.LOST, only().effect().kind());
    assertEquals(
        List.of(
            "tcp,nw_dst=10.0.0.0/24,tp_dst=6001",
            "tcp,nw_dst=10.0.1.0/24,tp_dst=6001",
            "tcp,nw_dst=10.0.2.0/24,tp_dst=6001"),
        only().traffic());
  }

  @Test
  void aSpineThatSendsAPrefixToAnotherLeafLosesWhatComesFromThere() {
    add("s2-0", rule(65_000, ipTo(2)).apply(ForeignAction.output(1)).build());
    assertEquals(Effect.Kind.LOST, only().effect().kind());
    assertEquals("s2-0 drops them: port 1 is also their ingress port", only().effect().where());
  }

  @Test
  void aRuleBelowTheFabricsIsHarmless() {
    add("s1-1", rule(10_000, ipTo(2)).build(), rule(0, HeaderClass.ALL).build());
    assertEquals(List.of(), report().harmful());
    assertEquals(2, report().findings().size());
    assertEquals(List.of(), report().reasons());
  }

  @Test
  void aRuleOfTheSamePriorityMayWin() {
    HeaderClass part = ipTo(2).with(HeaderField.IPV4_SRC, 0x0a000105L);
    add("s1-1", rule(10_024, part).build());
    assertEquals(Effect.Kind.LOST, only().effect().kind());
  }

  @Test
  void aRuleThatDoesAsTheFabricDoesIsHarmless() {
    add("s1-1", rule(65_000, ipTo(2)).apply(ForeignAction.output(2)).build());
    assertTrue(only().isHarmless());
  }

  @Test
  void aRuleThatNoTrafficMeetsIsHarmless() {
    add(
        "s2-0",
        rule(65_000, ipTo(2).with(HeaderField.IN_PORT, 3)).build(),
        rule(65_000, HeaderClass.ALL.with(HeaderField.ETH_TYPE, 0x86dd)).build());
    assertEquals(List.of(), report().harmful());
  }

  @Test
  void aRuleBesideTheSlotsOfALargeTableTakesWhatIsSentThere() {
    int[] slots = new int[512];
    Arrays.setAll(slots, slot -> 1 + slot % 2);
    SelectGroup large = SelectGroup.largeTable(OWN_GROUP, slots);
    own.put("s1-1", own.get("s1-1").after(List.of(SwitchOperation.modifyGroup(large))));
    add("s1-1", rule(1, ipTo(2)).table(20).build(), rule(0, ipTo(0)).table(20).build());
    assertEquals(1, report().harmful().size());
    assertEquals(
        "s1-1: foreign rule table=20,priority=1,ip,nw_dst=10.0.2.0/24 actions=drop (cookie 0x0):"
            + " ip,nw_dst=10.0.2.0/24 is lost: s1-1 drops them: actions=drop",
        report().reasons().get(0));
  }

  @Test
  void anActionThatIsNotKnownMayDoAnything() {
    add("s1-1", rule(65_000, ipTo(2)).apply(ForeignAction.unknown("learn")).build());
    assertEquals(
        "s1-1: foreign rule priority=65000,ip,nw_dst=10.0.2.0/24 actions=learn (cookie 0x0)"
            + " may do anything to ip,nw_dst=10.0.2.0/24: s1-1: actions=learn",
        only().toString());
  }

  @Test
  void aBridgeIsNamedEvenBelowTheFabricsRules() {
    add(
        "s1-1",
        rule(0, HeaderClass.ALL).apply(ForeignAction.output(ForeignAction.PORT_NORMAL)).build());
    assertEquals(List.of(), report().harmful());
    assertTrue(report().reasons().get(0).startsWith("s1-1: a rule with action NORMAL"));
  }

  @Test
  void twoRulesThatSendPacketsBackAndForthLoop() {
    HeaderClass in = ipTo(2).with(HeaderField.IN_PORT, 1);
    add(
        "s1-0",
        rule(65_000, in).apply(ForeignAction.output(ForeignAction.PORT_IN_PORT)).build(),
        rule(64_999, ipTo(2)).apply(ForeignAction.output(1)).build());
    add(
        "s2-0",
        rule(65_000, ipTo(2)).apply(ForeignAction.output(ForeignAction.PORT_IN_PORT)).build());
    assertEquals(3, report().harmful().size());
    assertTrue(
        report().harmful().stream()
            .allMatch(finding -> finding.effect().kind() == Effect.Kind.LOOPED),
        report().harmful().toString());
  }

  @Property(tries = 2000)
  void packetsMeetWhatAPlainWalkerMeets(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    foreign.putAll(PlainPackets.nothing(fabric));
    boolean isExact = true;
    for (int leaf = 0; leaf < LEAVES; leaf++) {
      if (random.nextBoolean()) {
        guard(leaf);
      }
      if (random.nextBoolean()) {
        refuseStrangers(leaf);
      }
    }
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      String id = fabric.switchId(random.nextInt(fabric.switchCount()));
      List<ForeignRule> rules = new ArrayList<>(foreign.get(id).rules());
      ForeignRule made = random(random, 0);
      rules.add(made);
      if (made.gotoTable() != ForeignRule.NO_TABLE) {
        isExact = false;
        rules.add(random(random, LATER_TABLE));
      }
      ForeignGroup group = group(random);
      // Tables and groups further back, and fields written in circles, are taken at their worst.
      isExact &= !uses(made, ForeignAction.Kind.GROUP) && !uses(made, ForeignAction.Kind.SET_FIELD);
      foreign.put(id, new ForeignTables(rules, List.of(group), 0));
    }
    Map<ForeignRule, Effect.Kind> expected =
        new PlainPackets(fabric, HOST_PORT, own, foreign).harm(headers());
    for (ForeignFinding finding : report().findings()) {
      if (finding.rule().table() == 0) {
        Effect.Kind plain = expected.getOrDefault(finding.rule(), Effect.Kind.HARMLESS);
        Effect.Kind found = finding.effect().kind();
        assertTrue(
            isExact ? found == plain : found.compareTo(plain) >= 0,
            () -> finding + "\n is " + plain + " to the walker, with\n" + describe());
      }
    }
  }

  private void guard(int leaf) {
    own.put(
        "s1-" + leaf,
        own.get("s1-" + leaf)
            .after(
                List.of(
                    SwitchOperation.putFlow(GuardRules.admitSource(prefix(leaf))),
                    SwitchOperation.putFlow(
                        GuardRules.refuseSource(HOST_PORT, Ipv4Prefix.of(0, 0))))));
  }

  /** Rules that drop some senders' packets, above all that routes. */
  private void refuseStrangers(int leaf) {
    own.put(
        "s1-" + leaf,
        own.get("s1-" + leaf)
            .after(
                List.of(
                    SwitchOperation.putFlow(GuardRules.dropMulticastSources()),
                    SwitchOperation.putFlow(GuardRules.dropSource(Ipv4Prefix.of(0x09000000, 8))))));
  }

  @Test
  void aRuleForSourcesThatAreRefusedHarmsNobody() {
    HeaderClass spoofed = ipTo(2).with(HeaderField.IPV4_SRC, 0x08080808L);
    add("s1-1", rule(65_000, spoofed).build());
    assertEquals(Effect.Kind.LOST, only().effect().kind());
    guard(1);
    assertTrue(only().isHarmless());
  }

  /** However many ports hosts have, and whatever rules refuse of their senders. */
  @Test
  void whatRulesTellNoSendersApartArrivesAsOneClass() {
    for (int leaf = 0; leaf < LEAVES; leaf++) {
      guard(leaf);
      refuseStrangers(leaf);
    }
    add("s2-0", rule(65_000, ipTo(2)).build());
    Arrivals arrivals = new Arrivals(new NetworkRules(ports(), own, foreign));
    HeaderClass routed = ipTo(2).with(HeaderField.ETH_DST, GATEWAY_MAC);
    assertEquals(List.of(routed), arrivals.arriving("s2-0", 1, routed));
    HeaderClass ofLeaf0 = routed.with(HeaderField.IPV4_SRC, host(0, 1) & 0xffffff00L, 0xffffff00L);
    add("s2-0", rule(65_000, ipTo(2)).build(), rule(65_001, ofLeaf0).build());
    arrivals = new Arrivals(new NetworkRules(ports(), own, foreign));
    assertEquals(List.of(ofLeaf0), arrivals.arriving("s2-0", 1, routed));
  }

  private String describe() {
    StringBuilder text = new StringBuilder();
    foreign.forEach((id, held) -> text.append(id).append(held.rules()).append(held.groups()));
    return text.toString();
  }

  private static boolean uses(ForeignRule rule, ForeignAction.Kind kind) {
    return rule.applied().stream().anyMatch(action -> action.kind() == kind);
  }

  /** Every combination of values that rules distinguish. */
  private static List<HeaderClass> headers() {
    List<HeaderClass> headers = new ArrayList<>();
    for (int to = 0; to < LEAVES; to++) {
      for (int number = 1; number <= 3; number++) {
        for (long source : new long[] {0x0a000001L, 0x0a000101L, 0x0a000201L, 0x09090909L}) {
          for (long port : new long[] {80, 6001}) {
            headers.add(
                HeaderClass.ALL
                    .with(HeaderField.ETH_TYPE, HeaderField.TYPE_IPV4)
                    .with(HeaderField.ETH_DST, GATEWAY_MAC)
                    .with(HeaderField.IPV4_DST, Integer.toUnsignedLong(host(to, number)))
                    .with(HeaderField.IPV4_SRC, source)
                    .with(HeaderField.IP_PROTO, 6)
                    .with(HeaderField.TCP_DST, port));
          }
        }
      }
    }
    headers.add(
        HeaderClass.ALL
            .with(HeaderField.ETH_TYPE, HeaderField.TYPE_ARP)
            .with(HeaderField.ETH_DST, GATEWAY_MAC));
    return headers;
  }

  private static ForeignRule random(SplittableRandom random, int table) {
    int[] priorities = {0, 9_000, 10_024, 10_032, 20_000, 39_999, 40_000, 65_000};
    ForeignRule.Builder rule = rule(priorities[random.nextInt(priorities.length)], match(random));
    rule.table(table).cookie(random.nextInt(1000));
    for (int i = random.nextInt(3); i > 0; i--) {
      rule.apply(action(random));
    }
    if (random.nextInt(8) == 0) {
      rule.write(ForeignAction.output(1 + random.nextInt(3)));
    }
    if (table == 0 && random.nextInt(8) == 0) {
      rule.gotoTable(LATER_TABLE);
    }
    return rule.build();
  }

  private static HeaderClass match(SplittableRandom random) {
    HeaderClass match = HeaderClass.ALL;
    if (random.nextInt(4) == 0) {
      match = match.with(HeaderField.IN_PORT, random.nextInt(4) == 0 ? 9 : 1 + random.nextInt(3));
    }
    if (random.nextInt(8) == 0) {
      return match.with(HeaderField.ETH_TYPE, HeaderField.TYPE_ARP);
    }
    if (random.nextInt(8) == 0) {
      return match;
    }
    match = match.with(HeaderField.ETH_TYPE, HeaderField.TYPE_IPV4);
    int to = random.nextInt(LEAVES);
    long[][] destinations = {
      {prefix(to).address(), 0xffffff00L},
      {host(to, 1), 0xffffffffL},
      {prefix(0).address(), 0xffff0000L},
      {1, 1},
      {0, 0}
    };
    long[] destination = destinations[random.nextInt(destinations.length)];
    match = match.with(HeaderField.IPV4_DST, destination[0], destination[1]);
    if (random.nextInt(4) == 0) {
      match = match.with(HeaderField.IPV4_SRC, 0x0a000100L, 0xffffff00L);
    }
    if (random.nextInt(4) == 0) {
      match = match.with(HeaderField.IP_PROTO, 6).with(HeaderField.TCP_DST, 6001);
    }
    return match;
  }

  private static ForeignAction action(SplittableRandom random) {
    switch (random.nextInt(8)) {
      case 0:
        return ForeignAction.output(ForeignAction.PORT_IN_PORT);
      case 1:
        return ForeignAction.output(
            random.nextBoolean() ? ForeignAction.PORT_CONTROLLER : ForeignAction.PORT_FLOOD);
      case 2:
        return ForeignAction.group(random.nextInt(3) == 0 ? OWN_GROUP : FOREIGN_GROUP);
      case 3:
        return set(HeaderField.IPV4_DST, Integer.toUnsignedLong(host(random.nextInt(LEAVES), 1)));
      case 4:
        return set(HeaderField.ETH_DST, mac(random.nextInt(LEAVES)));
      case 5:
        return ForeignAction.output(HOST_PORT);
      default:
        return ForeignAction.output(1 + random.nextInt(3));
    }
  }

  private static ForeignAction set(int field, long value) {
    long mask = field == HeaderField.ETH_DST ? 0xffff_ffff_ffffL : 0xffff_ffffL;
    return ForeignAction.setField(field, 0, value, 0, mask, "set " + field + " " + value);
  }

  private static ForeignGroup group(SplittableRandom random) {
    List<ForeignGroup.Bucket> buckets = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      ForeignAction output = ForeignAction.output(1 + random.nextInt(3));
      buckets.add(new ForeignGroup.Bucket(ForeignGroup.Bucket.NO_WATCH, List.of(output)));
    }
    return new ForeignGroup(
        FOREIGN_GROUP,
        random.nextBoolean() ? ForeignGroup.Type.ALL : ForeignGroup.Type.SELECT,
        buckets);
  }
}
