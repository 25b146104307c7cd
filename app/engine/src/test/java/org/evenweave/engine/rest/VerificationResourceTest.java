package org.evenweave.engine.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.TreeSet;
import org.evenweave.engine.config.ConfigUpdate;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.nib.PortSettings;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

class VerificationResourceTest extends RestFixture {
  private JsonNode verification() throws Exception {
    return whileTheLoopRuns("GET", "verification");
  }

  @Test
  void verificationReadsTheSwitchesAndNamesWhatIsNotAsWanted() throws Exception {
    JsonNode good = verification();
    assertTrue(good.get("ok").asBoolean(), good.toString());
    assertEquals(6, good.get("switches").asInt());
    removeRule();
    JsonNode bad = verification();
    requireMissingRule(bad);
    assertEquals(
        "[\"s2-0: its tables differ from the installed ones; the next audit repairs them\"]",
        bad.get("reasons").toString());
  }

  @Test
  void verificationLeavesTheSwitchesAsTheyAreUntilTheNextAudit() throws Exception {
    removeRule();
    int before = network.operations();
    requireMissingRule(verification());
    loop.runFor(SECOND_NANOS);
    requireMissingRule(verification());
    assertEquals(before, network.operations());
    engine.audit();
    loop.runFor(SECOND_NANOS);
    JsonNode repaired = verification();
    assertTrue(repaired.get("ok").asBoolean(), repaired.toString());
    assertTrue(repaired.get("converged").asBoolean(), repaired.toString());
  }

  @Test
  void whatAVerificationFoundOfASwitchThatLeavesIsForgotten() throws Exception {
    removeRule();
    verification();
    network.disconnect("s2-0");
    loop.runFor(60 * SECOND_NANOS);
    JsonNode left = verification();
    assertFalse(left.get("reasons").toString().contains("not as installed"), left.toString());
  }

  @Test
  void aSwitchThatLeavesBeforeItConfirmsAChangeIsUnreadAndNoBlackHole() throws Exception {
    int before = network.requests();
    network.cut(fabric.linksAt(fabric.indexOf("s1-2"))[0]);
    while (network.requests() == before) {
      loop.runFor(SECOND_NANOS / 10_000);
    }
    network.disconnect("s1-2");
    loop.runFor(SECOND_NANOS);
    JsonNode left = verification();
    assertFalse(left.get("ok").asBoolean());
    assertEquals("[]", left.get("violations").toString());
    assertEquals(1, left.get("unread").size(), left.toString());
    assertEquals("s1-2", left.get("unread").get(0).get("switch").asText());
    for (int link : fabric.linksAt(fabric.indexOf("s1-2"))) {
      network.cut(link);
    }
    loop.runFor(SECOND_NANOS);
    JsonNode withoutPower = verification();
    assertEquals("[]", withoutPower.get("unread").toString());
    for (int link : fabric.linksAt(fabric.indexOf("s1-2"))) {
      network.heal(link);
    }
    network.connect("s1-2");
    loop.runFor(SECOND_NANOS);
    assertTrue(verification().get("ok").asBoolean());
  }

  @Test
  void verificationRepairsWhereItIsAskedTo() throws Exception {
    removeRule();
    JsonNode bad = whileTheLoopRuns("POST", "verification");
    requireMissingRule(bad);
    assertEquals(
        "[\"s2-0: tables are not as installed, and are being repaired\"]",
        bad.get("reasons").toString());
    // What is known to be wrong is repaired without waiting for the next audit.
    loop.runFor(SECOND_NANOS);
    assertTrue(verification().get("ok").asBoolean());
  }

  @Test
  void aPortThatIsLeftOutIsAsWantedUnlessItIsTheLastWay() throws Exception {
    configure("s1-0/4", 0.001, "s1-0", "{}");
    assertTrue(get("groups?switch=s1-0").get("groups").get(1).has("leftOut"));
    assertTrue(verification().get("ok").asBoolean());
    SwitchTables before = network.tables("s1-0");
    FlowRule toGroup = before.flows().get("10.0.2.0/24");
    for (int link = 0; link < 3; link++) {
      network.cut(link); // Those of the ports 1 to 3.
    }
    loop.runFor(SECOND_NANOS);
    assertTrue(verification().get("ok").asBoolean());
    network.tamper("s1-0", SwitchOperation.addGroup(before.group(toGroup.groupId())));
    network.tamper("s1-0", SwitchOperation.putFlow(toGroup));
    JsonNode bad = verification();
    assertFalse(bad.get("ok").asBoolean());
    assertTrue(bad.get("violations").toString().contains("black-hole"), bad.toString());
  }

  private void removeRule() {
    FlowRule rule = network.tables("s2-0").flows().get("10.0.0.0/24");
    network.tamper("s2-0", SwitchOperation.deleteFlow(rule));
  }

  private static void requireMissingRule(JsonNode bad) {
    assertFalse(bad.get("ok").asBoolean(), bad.toString());
    assertEquals("black-hole", bad.get("violations").get(0).get("kind").asText());
    assertEquals("s2-0", bad.get("differences").get(0).get("switch").asText());
    assertFalse(bad.get("differences").get(0).has("found"));
    assertFalse(bad.get("converged").asBoolean());
  }

  @Test
  void verificationWaitsForTheChangesUnderWay() throws Exception {
    for (int round = 0; round < 10; round++) {
      engine.useRule(round % 2 == 0 ? WeightRule.AUTOMATIC : WeightRule.EQUAL);
      JsonNode verified = verification();
      assertTrue(verified.get("ok").asBoolean(), verified.toString());
      assertTrue(verified.get("converged").asBoolean(), verified.toString());
    }
  }

  @Test
  void anAuditNowNamesTheSwitchesThatDriftedAndRepairsThem() throws Exception {
    assertEquals(
        "{\"switches\":6,\"drifted\":[],\"differences\":[],"
            + "\"foreign\":{\"rules\":[],\"groups\":[]}}",
        whileTheLoopRuns("POST", "audit").toString());
    FlowRule rule = network.tables("s2-0").flows().get("10.0.0.0/24");
    network.tamper("s2-0", SwitchOperation.deleteFlow(rule));
    JsonNode audit = whileTheLoopRuns("POST", "audit");
    assertEquals("[\"s2-0\"]", audit.get("drifted").toString());
    assertEquals(
        "[{\"switch\":\"s2-0\",\"detail\":\"missing: rule 10.0.0.0/24\"}]",
        audit.get("differences").toString());
    JsonNode event = whileTheLoopRuns("GET", "events").get("events");
    event = event.get(event.size() - 1);
    assertEquals("drift", event.get("kind").asText());
    assertEquals("missing: rule 10.0.0.0/24", event.get("detail").asText());
    loop.runFor(SECOND_NANOS);
    assertTrue(verification().get("ok").asBoolean());
  }

  @Test
  void aLossyLinkIsAViolationWhileItCarriesTraffic() throws Exception {
    network.traffic.send(0, 10_000);
    network.traffic.lose(0, 0.05);
    loop.runFor(60 * SECOND_NANOS);
    requireOnly("lossy-link", "s1-0", "s1-0/1-s2-0/1", verification());
    engine.change(present -> ConfigUpdate.patched(present, "{\"lossyLinks\": \"exclude\"}"));
    loop.runFor(SECOND_NANOS);
    requireDegradedButOk(verification());
  }

  @Test
  void aSlowLinkIsAViolationAtTheSwitchThatSends() throws Exception {
    network.traffic.delay(1, 250_000_000L);
    loop.runFor(60 * SECOND_NANOS);
    requireOnly("slow-link", "s2-0", "s1-0/1-s2-0/1", verification());
  }

  @Test
  void tooSmallAnMtuIsAViolationWhereThereIsNoOtherPath() throws Exception {
    network.traffic.limitMtu(0, 1200);
    loop.runFor(30 * SECOND_NANOS);
    requireDegradedButOk(verification());
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      network.traffic.limitMtu(arc, 1200);
    }
    loop.runFor(60 * SECOND_NANOS);
    JsonNode found = verification();
    assertFalse(found.get("ok").asBoolean(), found.toString());
    Set<String> links = new TreeSet<>();
    for (JsonNode violation : found.get("violations")) {
      assertEquals("mtu-too-small", violation.get("kind").asText());
      links.add(violation.get("destination").asText());
    }
    assertEquals(fabric.linkCount(), links.size());
  }

  @Test
  void aPortWithHostsThatMayNotForwardIsAViolation() throws Exception {
    network.configurePort("s1-2", FakeNetwork.HOST_PORT, PortSettings.of(PortSettings.NO_FWD));
    loop.runFor(SECOND_NANOS);
    requireOnly("port-blocked", "s1-2", "s1-2/1000", verification());
  }

  @Test
  void aLinksPortThatMayNotReceiveIsNoViolationOnceTrafficAvoidsTheLink() throws Exception {
    network.configurePort("s2-0", 1, PortSettings.of(PortSettings.NO_RECV));
    loop.runFor(SECOND_NANOS);
    requireDegradedButOk(verification());
  }

  private static void requireOnly(
      String kind, String switchId, String destination, JsonNode verified) {
    assertFalse(verified.get("ok").asBoolean(), verified.toString());
    assertEquals("degraded", verified.get("state").asText());
    assertEquals(1, verified.get("violations").size(), verified.toString());
    JsonNode violation = verified.get("violations").get(0);
    assertEquals(kind, violation.get("kind").asText());
    assertEquals(switchId, violation.get("switch").asText());
    assertEquals(destination, violation.get("destination").asText());
    assertEquals(verified.get("reasons").get(0), violation.get("detail"));
    assertEquals("[]", verified.get("differences").toString());
  }

  private static void requireDegradedButOk(JsonNode verified) {
    assertEquals("degraded", verified.get("state").asText());
    assertTrue(verified.get("ok").asBoolean(), verified.toString());
  }
}
