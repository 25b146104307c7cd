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
    deleted.add(DEVICE, 1);
    assertTrue(isDeleted(DEVICE, 1));
    assertFalse(isDeleted(OTHER, 1));
    assertFalse(isDeleted(DEVICE, 2));
  }

  @Test
  void aRemovedGroupIsNoLongerDeleted() {
    deleted.add(DEVICE, 1);
    deleted.remove(DEVICE, 1);
    assertFalse(isDeleted(DEVICE, 1));
  }

  @Test
  void aDeletionExpires() {
    deleted.add(DEVICE, 1);
    nowNanos += DeletedGroups.LIFETIME_NANOS - 1;
    assertTrue(isDeleted(DEVICE, 1));
    nowNanos += 1;
    assertFalse(isDeleted(DEVICE, 1));
  }

  @Test
  void aSecondDeletionExtendsTheTime() {
    deleted.add(DEVICE, 1);
    nowNanos += DeletedGroups.LIFETIME_NANOS - 1;
    deleted.add(DEVICE, 1);
    nowNanos += DeletedGroups.LIFETIME_NANOS - 1;
    assertTrue(isDeleted(DEVICE, 1));
  }

  private boolean isDeleted(DeviceId device, int groupId) {
    AtomicBoolean done = new AtomicBoolean();
    boolean answer = deleted.runIfDeleted(device, groupId, () -> done.set(true));
    assertEquals(answer, done.get());
    assertEquals(answer, deleted.contains(device, groupId));
    return answer;
  }
}
