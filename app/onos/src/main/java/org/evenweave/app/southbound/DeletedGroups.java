package org.evenweave.app.southbound;

import java.util.Map;
import java.util.function.LongSupplier;
import org.onosproject.net.DeviceId;

/**
 * Groups that were deleted recently and are to stay deleted until they are added on purpose.
 * Thread-safe.
 */
final class DeletedGroups {
  /**
   * ONOS acts on a statistics reply for seconds at most. And its own poll of all groups, every 10
   * s, must have found a group gone before the deletion expires.
   */
  static final long LIFETIME_NANOS = 30_000_000_000L;

  private final ExpiringMap<Map.Entry<DeviceId, Integer>, Boolean> deleted;

  DeletedGroups(LongSupplier nanoTime) {
    deleted = new ExpiringMap<>(LIFETIME_NANOS, nanoTime);
  }

  synchronized void add(DeviceId device, int groupId) {
    deleted.put(Map.entry(device, groupId), true);
  }

  /** The group is to exist again: it is about to be added. */
  synchronized void remove(DeviceId device, int groupId) {
    deleted.remove(Map.entry(device, groupId));
  }

  synchronized boolean contains(DeviceId device, int groupId) {
    return deleted.get(Map.entry(device, groupId)) != null;
  }

  /**
   * Runs an action if the group is to stay deleted, under the lock: no group is removed from here
   * meanwhile.
   *
   * @return whether the action ran
   */
  synchronized boolean runIfDeleted(DeviceId device, int groupId, Runnable action) {
    boolean isDeleted = contains(device, groupId);
    if (isDeleted) {
      action.run();
    }
    return isDeleted;
  }
}
