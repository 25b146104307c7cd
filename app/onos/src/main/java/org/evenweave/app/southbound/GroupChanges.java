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
 * Changes the groups of one device, and reads the switch back until they are in force.
 *
 * <p>ONOS passes a group change on without waiting, confirms it when it next polls the switch
 * (after 10 s by default) and then compares buckets without their weights; a group that it believes
 * to differ may stay pending for ever. So nothing that ONOS says of a group is believed here: the
 * switch's own description is compared, weights and order of the buckets included. What is not in
 * force a while after ONOS was asked is asked of it again, and given up after {@link
 * PendingChanges#timeoutNanos}.
 */
final class GroupChanges {
  private static final long MILLISECOND_NANOS = 1_000_000L;

  /** Pause before the switch is read again; doubled with each reading. */
  private static final long FIRST_PAUSE_NANOS = 2 * MILLISECOND_NANOS;

  private static final long LONGEST_PAUSE_NANOS = 100 * MILLISECOND_NANOS;
  private static final long RESEND_NANOS = 1000 * MILLISECOND_NANOS;

  private final BiFunction<DeviceId, List<SwitchOperation>, CompletableFuture<Integer>> ask;
  private final Function<DeviceId, CompletableFuture<List<SelectGroup>>> held;
  private final Consumer<DeviceId> letOnosRead;
  private final PendingChanges pending;
  private final EngineLoop loop;

  /**
   * @param ask as {@link GroupRequests#ask}
   * @param held what a device's switch says it holds
   * @param letOnosRead lets ONOS read the groups of a device's switch
   */
  GroupChanges(
      BiFunction<DeviceId, List<SwitchOperation>, CompletableFuture<Integer>> ask,
      Function<DeviceId, CompletableFuture<List<SelectGroup>>> held,
      Consumer<DeviceId> letOnosRead,
      PendingChanges pending,
      EngineLoop loop) {
    this.ask = ask;
    this.held = held;
    this.letOnosRead = letOnosRead;
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

  /** The last operation on each group, which is what the switch should come to. */
  private static Map<Integer, SwitchOperation> finals(List<SwitchOperation> operations) {
    Map<Integer, SwitchOperation> finals = new HashMap<>();
    operations.forEach(operation -> finals.put(operation.group().id(), operation));
    return finals;
  }

  private final class Change {
    private final DeviceId device;
    private final Map<Integer, SwitchOperation> wanted;
    private final PendingChanges.Entry entry;

    /** What ONOS is still to be asked, in order. */
    private List<SwitchOperation> unasked;

    private final long startNanos = loop.nanoTime();
    private final long timeoutNanos = pending.timeoutNanos();
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private long askedNanos;

    Change(DeviceId device, List<SwitchOperation> operations, PendingChanges.Entry entry) {
      this.device = device;
      this.wanted = finals(operations);
      this.entry = entry;
      this.unasked = operations;
    }

    void check() {
      asked()
          .whenCompleteAsync(
              (nothing, error) -> {
                if (error == null) {
                  readBack();
                } else {
                  later("groups cannot be changed: " + error.getMessage());
                }
              },
              loop);
    }

    /** Asks ONOS for what can be asked now. */
    private CompletableFuture<Void> asked() {
      if (unasked.isEmpty()) {
        return CompletableFuture.completedFuture(null);
      }
      return ask.apply(device, unasked)
          .thenAcceptAsync(
              count -> {
                unasked = unasked.subList(count, unasked.size());
                askedNanos = loop.nanoTime();
              },
              loop);
    }

    private void readBack() {
      held.apply(device)
          .whenCompleteAsync(
              (now, error) -> {
                if (error == null) {
                  compare(now);
                } else {
                  pending.unread();
                  later("groups cannot be read back: " + error.getMessage());
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
      if (missing.isEmpty() && unasked.isEmpty()) {
        entry.confirmed();
        done.complete(null);
        if (removes()) {
          letOnosRead.accept(device);
        }
        return;
      }
      if (loop.nanoTime() - askedNanos >= RESEND_NANOS) {
        entry.sentAgain();
        letOnosRead.accept(device);
        unasked = missing;
      }
      later("not in force: " + missing);
    }

    private boolean removes() {
      return wanted.values().stream()
          .anyMatch(operation -> operation.kind() == SwitchOperation.Kind.DELETE_GROUP);
    }

    private void later(String problem) {
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
