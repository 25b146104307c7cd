package org.evenweave.app.southbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFFlowMod;

class RecentFlowModsTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final DeviceId OTHER = DeviceId.deviceId("of:0000000000000002");
  private static final Ipv4Prefix PREFIX = Ipv4Prefix.parse("10.0.1.0/24");
  private static final FlowRule RULE = FlowRule.routeToPort(PREFIX, 3);
  private static final FlowRule OLDER = FlowRule.routeToPort(PREFIX, 4);
  private static final SwitchOperation PUT = SwitchOperation.putFlow(RULE);
  private static final SwitchOperation DELETION = SwitchOperation.deleteFlow(RULE);
  private static final int APPLICATION = 7;
  private static final long COOKIE = (long) APPLICATION << 48 | 0x1234;

  private static final OFFlowMod ADDS = FlowEntries.addition(RULE, COOKIE);
  private static final OFFlowMod ADDS_OLDER = FlowEntries.addition(OLDER, COOKIE);
  private static final OFFlowMod DELETES = FlowEntries.deletion(RULE, COOKIE);

  private long nowNanos = Long.MAX_VALUE - 5;
  private final List<OFFlowMod> resent = new ArrayList<>();
  private final RecentFlowMods rules =
      new RecentFlowMods(
          new FlowTranslator(new DefaultApplicationId(APPLICATION, "org.evenweave.app")),
          () -> nowNanos);

  @Test
  void aRequestIsSentOnceAFlowModThatCarriesItOutIsSent() {
    CompletableFuture<Void> sent = rules.requested(DEVICE, COOKIE, PUT);
    assertNothingUndone(OTHER, ADDS);
    assertFalse(sent.isDone());
    assertNothingUndone(DEVICE, ADDS);
    assertTrue(sent.isDone());
  }

  /** It may have been sent after the requested one by another thread, and be reported first. */
  @Test
  void aConflictingFlowModBeforeTheRequestedOneHasThatResent() {
    CompletableFuture<Void> sent = rules.requested(DEVICE, COOKIE, PUT);
    assertNothingUndone(DEVICE, DELETES);
    assertFalse(sent.isDone());
    assertEquals(Optional.empty(), sent(DEVICE, ADDS));
    assertEquals(List.of(ADDS), resent);
    assertTrue(sent.isDone());
    assertNothingUndone(DEVICE, ADDS);
  }

  @Test
  void anAddedRuleThatIsDeletedIsAddedAgain() {
    requestedAndSent(PUT, ADDS);
    assertUndone(PUT, DELETES, ADDS);
  }

  @Test
  void aRuleWithStaleActionsGetsTheLatestAgain() {
    requestedAndSent(PUT, ADDS);
    assertUndone(PUT, ADDS_OLDER, ADDS);
  }

  @Test
  void aDeletedRuleThatIsAddedIsDeletedAgain() {
    requestedAndSent(DELETION, DELETES);
    assertUndone(DELETION, ADDS, DELETES);
    assertUndone(DELETION, ADDS_OLDER, DELETES);
  }

  @Test
  void theLatestRequestCounts() {
    requestedAndSent(DELETION, DELETES);
    assertTrue(rules.isLatest(DEVICE, COOKIE, DELETION));
    requestedAndSent(PUT, ADDS);
    assertUndone(PUT, DELETES, ADDS);
    assertTrue(rules.isLatest(DEVICE, COOKIE, PUT));
    assertFalse(rules.isLatest(DEVICE, COOKIE, DELETION));
    assertFalse(rules.isLatest(OTHER, COOKIE, PUT));
  }

  @Test
  void otherRulesAndDevicesAreIgnored() {
    requestedAndSent(PUT, ADDS);
    assertNothingUndone(OTHER, DELETES);
    assertNothingUndone(DEVICE, FlowEntries.deletion(RULE, COOKIE + 1));
  }

  @Test
  void aRequestExpires() {
    requestedAndSent(PUT, ADDS);
    nowNanos += RecentFlowMods.LIFETIME_NANOS - 1;
    assertUndone(PUT, DELETES, ADDS);
    nowNanos += 1;
    assertNothingUndone(DEVICE, DELETES);
  }

  @Test
  void clearedRequestsMayBeUndone() {
    requestedAndSent(PUT, ADDS);
    rules.clear();
    assertNothingUndone(DEVICE, DELETES);
  }

  /** Resending reports the flow-mod again, from within the call. */
  @Test
  void aResentFlowModIsObservedToo() {
    requestedAndSent(PUT, ADDS);
    Optional<SwitchOperation> undone =
        rules.onSent(DEVICE, DELETES, sent -> assertEquals(Optional.empty(), sent(DEVICE, sent)));
    assertEquals(Optional.of(PUT), undone);
    assertEquals(List.of(), resent);
  }

  private void requestedAndSent(SwitchOperation operation, OFFlowMod message) {
    rules.requested(DEVICE, COOKIE, operation);
    assertNothingUndone(DEVICE, message);
  }

  private void assertUndone(SwitchOperation operation, OFFlowMod by, OFFlowMod again) {
    resent.clear();
    assertEquals(Optional.of(operation), sent(DEVICE, by));
    assertEquals(List.of(again), resent);
  }

  private void assertNothingUndone(DeviceId device, OFFlowMod by) {
    resent.clear();
    assertEquals(Optional.empty(), sent(device, by));
    assertEquals(List.of(), resent);
  }

  private Optional<SwitchOperation> sent(DeviceId device, OFFlowMod message) {
    return rules.onSent(device, message, resent::add);
  }
}
