package org.evenweave.engine.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchOperation;
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
      engine.useRule(WeightRule.values()[round % 2]);
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
}
