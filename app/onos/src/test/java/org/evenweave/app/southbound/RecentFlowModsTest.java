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
  private final List<OFFlowMod> toldAgain = new ArrayList<>();
  private final RecentFlowMods rules =
      new RecentFlowMods(
          new FlowTranslator(new DefaultApplicationId(APPLICATION, "org.evenweave.app")),
          () -> nowNanos);

  @Test
  void aSwitchIsToldOnceTheMessageThatDoesItHasGone() {
    CompletableFuture<Void> told = rules.asked(DEVICE, COOKIE, PUT);
    assertNothingUndone(OTHER, ADDS);
    assertFalse(told.isDone());
    assertNothingUndone(DEVICE, ADDS);
    assertTrue(told.isDone());
  }

  /** It may have gone after the one that does it, on another thread, and be heard of first. */
  @Test
  void aMessageThatIsHeardBeforeTheOneThatDoesItMakesThatGoAgain() {
    CompletableFuture<Void> told = rules.asked(DEVICE, COOKIE, PUT);
    assertNothingUndone(DEVICE, DELETES);
    assertFalse(told.isDone());
    assertEquals(Optional.empty(), sent(DEVICE, ADDS));
    assertEquals(List.of(ADDS), toldAgain);
    assertTrue(told.isDone());
    assertNothingUndone(DEVICE, ADDS);
  }

  @Test
  void aRuleThatWasPutAndIsTakenOutIsPutAgain() {
    asked(PUT, ADDS);
    assertUndone(PUT, DELETES, ADDS);
  }

  @Test
  void aRuleThatGetsActionsItHadBeforeGetsTheNewOnesAgain() {
    asked(PUT, ADDS);
    assertUndone(PUT, ADDS_OLDER, ADDS);
  }

  @Test
  void aRuleThatWasTakenOutAndIsPutBackIsTakenOutAgain() {
    asked(DELETION, DELETES);
    assertUndone(DELETION, ADDS, DELETES);
    assertUndone(DELETION, ADDS_OLDER, DELETES);
  }

  @Test
  void whatIsAskedLaterCounts() {
    asked(DELETION, DELETES);
    assertTrue(rules.isLatest(DEVICE, COOKIE, DELETION));
    asked(PUT, ADDS);
    assertUndone(PUT, DELETES, ADDS);
    assertTrue(rules.isLatest(DEVICE, COOKIE, PUT));
    assertFalse(rules.isLatest(DEVICE, COOKIE, DELETION));
    assertFalse(rules.isLatest(OTHER, COOKIE, PUT));
  }

  @Test
  void otherRulesAndOtherDevicesAreNoneOfItsBusiness() {
    asked(PUT, ADDS);
    assertNothingUndone(OTHER, DELETES);
    assertNothingUndone(DEVICE, FlowEntries.deletion(RULE, COOKIE + 1));
  }

  @Test
  void whatWasAskedIsForgottenInTime() {
    asked(PUT, ADDS);
    nowNanos += RecentFlowMods.REMEMBERED_NANOS - 1;
    assertUndone(PUT, DELETES, ADDS);
    nowNanos += 1;
    assertNothingUndone(DEVICE, DELETES);
  }

  @Test
  void whatIsForgottenOnRequestMayBeUndone() {
    asked(PUT, ADDS);
    rules.forget();
    assertNothingUndone(DEVICE, DELETES);
  }

  /** The message again is itself a message that goes to the switch. */
  @Test
  void whatTheSwitchIsToldAgainIsHeardToo() {
    asked(PUT, ADDS);
    Optional<SwitchOperation> undone =
        rules.sent(DEVICE, DELETES, told -> assertEquals(Optional.empty(), sent(DEVICE, told)));
    assertEquals(Optional.of(PUT), undone);
    assertEquals(List.of(), toldAgain);
  }

  private void asked(SwitchOperation operation, OFFlowMod message) {
    rules.asked(DEVICE, COOKIE, operation);
    assertNothingUndone(DEVICE, message);
  }

  private void assertUndone(SwitchOperation operation, OFFlowMod by, OFFlowMod again) {
    toldAgain.clear();
    assertEquals(Optional.of(operation), sent(DEVICE, by));
    assertEquals(List.of(again), toldAgain);
  }

  private void assertNothingUndone(DeviceId device, OFFlowMod by) {
    toldAgain.clear();
    assertEquals(Optional.empty(), sent(device, by));
    assertEquals(List.of(), toldAgain);
  }

  private Optional<SwitchOperation> sent(DeviceId device, OFFlowMod message) {
    return rules.sent(device, message, toldAgain::add);
  }
}
