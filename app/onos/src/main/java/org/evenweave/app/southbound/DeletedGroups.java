package org.evenweave.app.southbound;

import java.util.Map;
import java.util.function.LongSupplier;
import org.onosproject.net.DeviceId;

/**
 * The groups that were deleted lately, and are to stay deleted until they are wanted again. Safe
 * for many threads.
 */
final class DeletedGroups {
  /**
   * ONOS works on what it read from a switch for seconds at most. And its own poll of all groups,
   * every 10 s, must have found a group gone before it can be forgotten here.
   */
  static final long REMEMBERED_NANOS = 30_000_000_000L;

  private final ExpiringMap<Map.Entry<DeviceId, Integer>, Boolean> deleted;

  DeletedGroups(LongSupplier nanoTime) {
    deleted = new ExpiringMap<>(REMEMBERED_NANOS, nanoTime);
  }

  synchronized void deleted(DeviceId device, int groupId) {
    deleted.put(Map.entry(device, groupId), true);
  }

  /** The group is to exist again. */
  synchronized void wanted(DeviceId device, int groupId) {
    deleted.remove(Map.entry(device, groupId));
  }

  synchronized boolean contains(DeviceId device, int groupId) {
    return deleted.get(Map.entry(device, groupId)) != null;
  }

  /**
   * Does something if the group is to stay deleted; until it is done, no group becomes wanted.
   *
   * @return whether it was done
   */
  synchronized boolean ifDeleted(DeviceId device, int groupId, Runnable action) {
    boolean isDeleted = contains(device, groupId);
    if (isDeleted) {
      action.run();
    }
    return isDeleted;
  }
}
