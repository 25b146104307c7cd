package org.evenweave.app.southbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;

class DeletedGroupsTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final DeviceId OTHER = DeviceId.deviceId("of:0000000000000002");

  private long nowNanos = Long.MAX_VALUE - 5;
  private final DeletedGroups deleted = new DeletedGroups(() -> nowNanos);

  @Test
  void aGroupIsDeletedOnItsDeviceOnly() {
    deleted.deleted(DEVICE, 1);
    assertTrue(isDeleted(DEVICE, 1));
    assertFalse(isDeleted(OTHER, 1));
    assertFalse(isDeleted(DEVICE, 2));
  }

  @Test
  void aGroupThatIsWantedIsNoLongerDeleted() {
    deleted.deleted(DEVICE, 1);
    deleted.wanted(DEVICE, 1);
    assertFalse(isDeleted(DEVICE, 1));
  }

  @Test
  void aDeletionIsForgottenInTime() {
    deleted.deleted(DEVICE, 1);
    nowNanos += DeletedGroups.REMEMBERED_NANOS - 1;
    assertTrue(isDeleted(DEVICE, 1));
    nowNanos += 1;
    assertFalse(isDeleted(DEVICE, 1));
  }

  @Test
  void aSecondDeletionIsRememberedFromThenOn() {
    deleted.deleted(DEVICE, 1);
    nowNanos += DeletedGroups.REMEMBERED_NANOS - 1;
    deleted.deleted(DEVICE, 1);
    nowNanos += DeletedGroups.REMEMBERED_NANOS - 1;
    assertTrue(isDeleted(DEVICE, 1));
  }

  private boolean isDeleted(DeviceId device, int groupId) {
    AtomicBoolean done = new AtomicBoolean();
    boolean answer = deleted.ifDeleted(device, groupId, () -> done.set(true));
    assertEquals(answer, done.get());
    assertEquals(answer, deleted.contains(device, groupId));
    return answer;
  }
}
