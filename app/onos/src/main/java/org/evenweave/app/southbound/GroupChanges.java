package org.evenweave.app.southbound;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.runtime.EngineLoop;
import org.onosproject.net.DeviceId;

/**
 * Changes groups of one device, and polls the switch until they are in force.
 *
 * <p>ONOS sends a group-mod without waiting for the switch, confirms it at its next poll (every 10
 * s by default) and compares buckets without their weights; a group that it finds different may
 * stay pending for ever. So ONOS's group state is not used: the switch's own group descriptions are
 * compared, with weights and the order of buckets. A change that is not in force after a second is
 * requested again, and times out after {@link PendingChanges#timeoutNanos}.
 */
final class GroupChanges {
  private static final long MILLISECOND_NANOS = 1_000_000L;

  /** Pause before the switch is read again; back-off doubles it with each read. */
  private static final long FIRST_PAUSE_NANOS = 2 * MILLISECOND_NANOS;

  private static final long LONGEST_PAUSE_NANOS = 100 * MILLISECOND_NANOS;
  private static final long RESEND_NANOS = 1000 * MILLISECOND_NANOS;

  private final BiFunction<DeviceId, List<SwitchOperation>, CompletableFuture<Integer>> request;
  private final Function<DeviceId, CompletableFuture<List<SelectGroup>>> readGroups;
  private final Consumer<DeviceId> pollForOnos;
  private final PendingChanges pending;
  private final EngineLoop loop;

  /**
   * @param request as {@link GroupRequests#request}
   * @param readGroups reads the groups of a device's switch
   * @param pollForOnos has ONOS read the groups of a device's switch
   */
  GroupChanges(
      BiFunction<DeviceId, List<SwitchOperation>, CompletableFuture<Integer>> request,
      Function<DeviceId, CompletableFuture<List<SelectGroup>>> readGroups,
      Consumer<DeviceId> pollForOnos,
      PendingChanges pending,
      EngineLoop loop) {
    this.request = request;
    this.readGroups = readGroups;
    this.pollForOnos = pollForOnos;
    this.pending = pending;
    this.loop = loop;
  }

  /** Completes when the switch describes all groups as the operations, in order, leave them. */
  CompletableFuture<Void> apply(DeviceId device, List<SwitchOperation> operations) {
    PendingChanges.Entry entry = pending.add(device, operations);
    Change change = new Change(device, operations, entry);
    change.check();
    return change.done;
  }

  /** The last operation on each group, which is the state to reach. */
  private static Map<Integer, SwitchOperation> finals(List<SwitchOperation> operations) {
    Map<Integer, SwitchOperation> finals = new HashMap<>();
    operations.forEach(operation -> finals.put(operation.group().id(), operation));
    return finals;
  }

  private final class Change {
    private final DeviceId device;
    private final Map<Integer, SwitchOperation> wanted;
    private final PendingChanges.Entry entry;

    /** Operations still to be requested, in order. */
    private List<SwitchOperation> unrequested;

    private final long startNanos = loop.nanoTime();
    private final long timeoutNanos = pending.timeoutNanos();
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private long requestedNanos;

    Change(DeviceId device, List<SwitchOperation> operations, PendingChanges.Entry entry) {
      this.device = device;
      this.wanted = finals(operations);
      this.entry = entry;
      this.unrequested = operations;
    }

    void check() {
      request()
          .whenCompleteAsync(
              (nothing, error) -> {
                if (error == null) {
                  readBack();
                } else {
                  retryLater("groups cannot be changed: " + error.getMessage());
                }
              },
              loop);
    }

    /** Requests the operations that are possible now. */
    private CompletableFuture<Void> request() {
      if (unrequested.isEmpty()) {
        return CompletableFuture.completedFuture(null);
      }
      return request
          .apply(device, unrequested)
          .thenAcceptAsync(
              count -> {
                unrequested = unrequested.subList(count, unrequested.size());
                requestedNanos = loop.nanoTime();
              },
              loop);
    }

    private void readBack() {
      readGroups
          .apply(device)
          .whenCompleteAsync(
              (now, error) -> {
                if (error == null) {
                  compare(now);
                } else {
                  pending.unread();
                  retryLater("groups cannot be read back: " + error.getMessage());
                }
              },
              loop);
    }

    private void compare(List<SelectGroup> now) {
      Map<Integer, SelectGroup> heldById = new HashMap<>();
      now.forEach(group -> heldById.put(group.id(), group));
      List<SwitchOperation> missing = new ArrayList<>();
      for (SwitchOperation operation : wanted.values()) {
        SelectGroup there = heldById.get(operation.group().id());
        boolean inForce =
            operation.kind() == SwitchOperation.Kind.DELETE_GROUP
                ? there == null
                : operation.group().equals(there);
        if (!inForce) {
          missing.add(operation);
        }
      }
      if (missing.isEmpty() && unrequested.isEmpty()) {
        entry.confirmed();
        done.complete(null);
        if (removes()) {
          pollForOnos.accept(device);
        }
        return;
      }
      if (loop.nanoTime() - requestedNanos >= RESEND_NANOS) {
        entry.sentAgain();
        pollForOnos.accept(device);
        unrequested = missing;
      }
      retryLater("not in force: " + missing);
    }

    private boolean removes() {
      return wanted.values().stream()
          .anyMatch(operation -> operation.kind() == SwitchOperation.Kind.DELETE_GROUP);
    }

    private void retryLater(String problem) {
      if (loop.nanoTime() - startNanos >= timeoutNanos) {
        entry.givenUp();
        done.completeExceptionally(new SouthboundException(device.toString(), problem));
        return;
      }
      loop.schedule(this::check, pauseNanos);
      pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    }
  }
}
