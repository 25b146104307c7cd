package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.evenweave.engine.config.ForeignRulePolicy;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.fake.ForeignNetwork;
import org.evenweave.engine.foreign.ForeignAction;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.headers.HeaderClass;
import org.evenweave.engine.headers.HeaderField;
import org.evenweave.engine.interference.RuleHeaders;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.status.FabricStatus;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;

class EngineForeignRulesTest extends EngineFixture {
  private static final Ipv4Prefix TO = Fabrics.figure32().subnetPrefix(2);
  private static final FlowRule OURS = FlowRule.routeToPort(TO, 1);
  private static final HeaderClass TO_S12 = RuleHeaders.match(OURS);
  private static final ForeignRule DROP = rule(65_000, TO_S12);

  private ForeignNetwork others;

  private static ForeignRule rule(int priority, HeaderClass match) {
    return new ForeignRule.Builder()
        .priority(priority, priority)
        .match(match, new byte[0])
        .cookie(7)
        .build();
  }

  private void start() {
    others = new ForeignNetwork(Fabrics.figure32(), loop, 1);
    network = others;
    startEngine(Fabrics.figure32());
    network.connectAll();
    loop.runFor(SECOND_NANOS);
    assertConverged();
  }

  private List<String> subjects(Event.Kind kind) {
    return engine.events().since(0).stream()
        .filter(event -> event.kind() == kind)
        .map(Event::subject)
        .collect(Collectors.toList());
  }

  private FabricStatus status() {
    return engine.view().status();
  }

  @Test
  void theAuditFindsARuleThatTakesTrafficAndThatItIsGone() {
    start();
    others.add("s1-1", DROP);
    loop.runFor(31 * SECOND_NANOS);
    String reason = "s1-1: foreign rule " + DROP + " (cookie 0x7): " + TO_S12 + " is lost: ";
    assertEquals(FabricStatus.State.DEGRADED, status().state());
    assertTrue(status().confirmed());
    assertTrue(status().reasons().get(0).startsWith(reason), status().toString());
    assertEquals(status().reasons(), subjects(Event.Kind.FOREIGN_RULE));
    others.clear("s1-1");
    loop.runFor(31 * SECOND_NANOS);
    assertConverged();
    assertEquals(List.of("s1-1: foreign rule " + DROP), subjects(Event.Kind.FOREIGN_RULE_GONE));
  }

  @Test
  void aRuleThatASwitchReportsIsNamedAtOnceHoweverManyFollow() {
    start();
    others.add("s1-1", DROP);
    int before = others.readings();
    for (int i = 0; i < 100; i++) {
      network.tell(listener -> listener.rulesChanged("s1-1", loop.nanoTime()));
      loop.runFor(SECOND_NANOS / 100);
    }
    assertEquals(1, subjects(Event.Kind.FOREIGN_RULE).size());
    assertTrue(others.readings() - before <= 2, "readings in a second");
    others.clear("s1-1");
    network.tell(listener -> listener.rulesChanged("s1-1", loop.nanoTime()));
    loop.runFor(3 * SECOND_NANOS);
    assertConverged();
  }

  @Test
  void aRuleThatIsThereWhenASwitchConnectsIsNamedAtOnce() {
    start();
    network.disconnect("s1-1");
    others.add("s1-1", DROP);
    network.connect("s1-1");
    loop.runFor(SECOND_NANOS);
    assertEquals(1, subjects(Event.Kind.FOREIGN_RULE).size());
  }

  @Test
  void aVerificationSaysWhatItHasJustRead() throws Exception {
    start();
    others.add("s1-1", DROP);
    var verification = engine.verify();
    loop.runFor(SECOND_NANOS);
    assertEquals(1, verification.get().foreign().harmful().size());
  }

  @Test
  void aHarmlessRuleIsListedAndNothingElse() {
    start();
    others.add("s1-1", rule(5, HeaderClass.ALL));
    engine.audit();
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertEquals(1, engine.view().foreign().findings().size());
    assertEquals(List.of(), subjects(Event.Kind.FOREIGN_RULE));
  }

  @Test
  void rulesThatHarmAreRemovedWhereTheConfigurationSaysSo() {
    start();
    ForeignRule harmless = rule(5, HeaderClass.ALL);
    ForeignRule bridge =
        new ForeignRule.Builder()
            .apply(ForeignAction.output(ForeignAction.PORT_NORMAL))
            .cookie(9)
            .build();
    List.of(DROP, harmless, bridge).forEach(rule -> others.add("s1-1", rule));
    engine.audit();
    loop.runFor(SECOND_NANOS);
    assertEquals(2, status().reasons().size(), status().toString());
    assertEquals(3, others.rules("s1-1").size());
    engine.change(config -> config.withForeignRules(ForeignRulePolicy.REMOVE));
    loop.runFor(SECOND_NANOS);
    assertEquals(List.of(harmless), others.rules("s1-1"));
    assertConverged();
    assertEquals(2, subjects(Event.Kind.FOREIGN_RULE_REMOVED).size());
  }

  /** Whatever has the rules judged again before the switch has been read. */
  @Test
  void aRuleIsRemovedOnce() {
    start();
    others.add("s1-1", DROP);
    engine.audit();
    loop.runFor(SECOND_NANOS);
    network.failReads("s1-1", 3);
    engine.change(config -> config.withForeignRules(ForeignRulePolicy.REMOVE));
    for (int i = 0; i < 100; i++) {
      network.disconnect("s2-2");
      loop.runFor(SECOND_NANOS / 20);
      network.connect("s2-2");
      loop.runFor(SECOND_NANOS / 20);
    }
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertEquals(1, subjects(Event.Kind.FOREIGN_RULE_REMOVED).size());
  }

  @Test
  void aReadingFromBeforeTheRemovalDoesNotHaveARuleRemovedAgain() {
    start();
    others.add("s1-1", DROP);
    engine.audit();
    loop.runFor(SECOND_NANOS);
    network.delayReads(0, SECOND_NANOS);
    engine.audit();
    loop.runFor(SECOND_NANOS / 2);
    engine.change(config -> config.withForeignRules(ForeignRulePolicy.REMOVE));
    // The answer to the audit arrives, and the one to the reading after the removal does not yet.
    loop.runFor(3 * SECOND_NANOS / 4);
    assertEquals(List.of(), others.rules("s1-1"));
    network.disconnect("s2-2");
    loop.runFor(SECOND_NANOS / 4);
    assertEquals(1, subjects(Event.Kind.FOREIGN_RULE_REMOVED).size());
  }

  @Test
  void aRuntimeThatRemovesNothingReports() {
    start();
    others.removeNothing();
    others.add("s1-1", DROP);
    engine.change(config -> config.withForeignRules(ForeignRulePolicy.REMOVE));
    engine.audit();
    loop.runFor(31 * SECOND_NANOS);
    assertEquals(List.of(DROP), others.rules("s1-1"));
    assertEquals(FabricStatus.State.DEGRADED, status().state());
  }

  @Test
  void theThirdDriftOfARuleWithinAMinuteIsAReasonUntilAMinuteWithoutOne() {
    start();
    FlowRule route = engine.view().desired().tables().get("s1-1").routeTo(TO);
    for (int drift = 1; drift <= 3; drift++) {
      network.tamper("s1-1", SwitchOperation.deleteFlow(route));
      others.add("s1-1", rule(OURS.priority(), TO_S12));
      engine.audit();
      loop.runFor(SECOND_NANOS);
      others.clear("s1-1");
      loop.runFor(6 * SECOND_NANOS);
      assertEquals(drift == 3, !status().reasons().isEmpty(), status().toString());
    }
    String reason =
        "s1-1: rule "
            + TO
            + " is contested: cookie 0x7 holds a rule with its match and priority, and puts it back"
            + " after each repair; the rule written last wins";
    assertEquals(List.of(reason), status().reasons());
    assertEquals(List.of(reason), subjects(Event.Kind.RULE_CONTESTED));
    assertEquals(FabricStatus.State.DEGRADED, status().state());
    loop.runFor(40 * SECOND_NANOS);
    assertEquals(List.of(reason), status().reasons());
    loop.runFor(30 * SECOND_NANOS);
    assertConverged();
  }

  @Test
  void driftThatIsRareIsNoContest() {
    start();
    FlowRule route = engine.view().desired().tables().get("s1-1").routeTo(TO);
    for (int drift = 0; drift < 5; drift++) {
      network.tamper("s1-1", SwitchOperation.deleteFlow(route));
      engine.audit();
      loop.runFor(31 * SECOND_NANOS);
      assertConverged();
    }
    assertEquals(List.of(), subjects(Event.Kind.RULE_CONTESTED));
  }

  @Test
  void aSwitchThatComesBackWithoutItsRulesIsNamed() {
    start();
    network.disconnect("s1-1");
    network.clearTables("s1-1");
    network.connect("s1-1");
    loop.runFor(SECOND_NANOS);
    assertEquals(1, subjects(Event.Kind.TABLES_EMPTIED).size());
    assertTrue(subjects(Event.Kind.TABLES_EMPTIED).get(0).contains("fail_mode=secure"));
    network.disconnect("s1-1");
    network.connect("s1-1");
    loop.runFor(SECOND_NANOS);
    assertEquals(1, subjects(Event.Kind.TABLES_EMPTIED).size());
  }

  @Test
  void aRuleForOtherTrafficHarmsNothing() {
    start();
    others.add(
        "s1-1", rule(65_000, HeaderClass.ALL.with(HeaderField.ETH_TYPE, HeaderField.TYPE_LLDP)));
    engine.audit();
    loop.runFor(SECOND_NANOS);
    assertConverged();
  }
}
