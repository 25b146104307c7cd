package org.evenweave.app.southbound;

import java.util.HashMap;
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

  private final LongSupplier nanoTime;
  private final Map<Map.Entry<DeviceId, Integer>, Long> deletedNanos = new HashMap<>();

  DeletedGroups(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  synchronized void deleted(DeviceId device, int groupId) {
    long now = nanoTime.getAsLong();
    deletedNanos.values().removeIf(since -> now - since >= REMEMBERED_NANOS);
    deletedNanos.put(Map.entry(device, groupId), now);
  }

  /** The group is to exist again. */
  synchronized void wanted(DeviceId device, int groupId) {
    deletedNanos.remove(Map.entry(device, groupId));
  }

  synchronized boolean contains(DeviceId device, int groupId) {
    Long since = deletedNanos.get(Map.entry(device, groupId));
    return since != null && nanoTime.getAsLong() - since < REMEMBERED_NANOS;
  }

  /**
   * Does something if the group is to stay deleted; until it is done, no group becomes wanted.
   *
   * @return whether it was done
   */
  synchronized boolean ifDeleted(DeviceId device, int groupId, Runnable action) {
    boolean deleted = contains(device, groupId);
    if (deleted) {
      action.run();
    }
    return deleted;
  }
}
