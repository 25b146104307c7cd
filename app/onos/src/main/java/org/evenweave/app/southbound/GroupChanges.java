package org.evenweave.app.southbound;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.runtime.EngineLoop;
import org.onlab.util.OrderedExecutor;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.group.Group;
import org.onosproject.net.group.GroupKey;
import org.onosproject.net.group.GroupService;

/**
 * Changes the groups of one device, and reads the switch back until they are in force.
 *
 * <p>ONOS passes a group change on without waiting, confirms it when it next polls the switch
 * (after 10 s by default) and then compares buckets without their weights; a group that it believes
 * to differ may stay pending for ever. So nothing that ONOS says of a group is believed here: the
 * switch's own description is compared, weights and order of the buckets included. What is not in
 * force after a while is asked of ONOS again, and given up after {@link
 * PendingChanges#timeoutNanos}.
 */
final class GroupChanges {
  private static final long MILLISECOND_NANOS = 1_000_000L;

  /** Pause before the switch is read again; doubled with each reading. */
  private static final long FIRST_PAUSE_NANOS = 2 * MILLISECOND_NANOS;

  private static final long LONGEST_PAUSE_NANOS = 100 * MILLISECOND_NANOS;
  private static final long RESEND_NANOS = 1000 * MILLISECOND_NANOS;

  private final ApplicationId application;
  private final GroupService groups;
  private final GroupTranslator translator;
  private final Function<DeviceId, CompletableFuture<List<SelectGroup>>> held;
  private final Consumer<DeviceId> letOnosRead;
  private final Executor executor;
  private final Map<DeviceId, Executor> executorOf = new ConcurrentHashMap<>();
  private final PendingChanges pending;
  private final EngineLoop loop;

  /**
   * @param held what a device's switch says it holds
   * @param letOnosRead lets ONOS read the groups of a device's switch
   * @param executor for questions to ONOS, which wait for its distributed store
   */
  GroupChanges(
      ApplicationId application,
      GroupService groups,
      Function<DeviceId, CompletableFuture<List<SelectGroup>>> held,
      Consumer<DeviceId> letOnosRead,
      Executor executor,
      PendingChanges pending,
      EngineLoop loop) {
    this.application = application;
    this.groups = groups;
    this.translator = new GroupTranslator(application);
    this.held = held;
    this.letOnosRead = letOnosRead;
    this.executor = executor;
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

  /**
   * Asks ONOS for one change.
   *
   * @return false if it cannot be asked yet: ONOS still has the group down as to be removed
   */
  private boolean ask(DeviceId device, SwitchOperation operation) {
    SelectGroup group = operation.group();
    GroupKey key = GroupTranslator.key(group.id());
    Group known = groups.getGroup(device, key);
    if (operation.kind() == SwitchOperation.Kind.DELETE_GROUP) {
      if (known == null) {
        // ONOS removes only what it knows, and takes over what the switch has.
        groups.addGroup(translator.description(device, group));
      }
      groups.removeGroup(device, key, application);
    } else if (known == null) {
      groups.addGroup(translator.description(device, group));
    } else if (known.state() == Group.GroupState.PENDING_DELETE) {
      return false;
    } else {
      groups.setBucketsForGroup(device, key, translator.buckets(group), key, application);
    }
    return true;
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

    /** What ONOS is still to be asked, in order; nobody touches it while the executor does. */
    private final Deque<SwitchOperation> unasked = new ArrayDeque<>();

    private final long startNanos = loop.nanoTime();
    private final long timeoutNanos = pending.timeoutNanos();
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private long sentNanos = startNanos;

    Change(DeviceId device, List<SwitchOperation> operations, PendingChanges.Entry entry) {
      this.device = device;
      this.wanted = finals(operations);
      this.entry = entry;
      unasked.addAll(operations);
    }

    void check() {
      asked()
          .thenCompose(nothing -> held.apply(device))
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

    /** Asks ONOS for what can be asked now; one device's questions go one after another. */
    private CompletableFuture<Void> asked() {
      if (unasked.isEmpty()) {
        return CompletableFuture.completedFuture(null);
      }
      return CompletableFuture.runAsync(
          () -> {
            while (!unasked.isEmpty() && ask(device, unasked.peek())) {
              unasked.remove();
            }
          },
          executorOf.computeIfAbsent(device, any -> new OrderedExecutor(executor)));
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
      if (loop.nanoTime() - sentNanos >= RESEND_NANOS) {
        sentNanos = loop.nanoTime();
        entry.sentAgain();
        letOnosRead.accept(device);
        unasked.clear();
        unasked.addAll(missing);
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
