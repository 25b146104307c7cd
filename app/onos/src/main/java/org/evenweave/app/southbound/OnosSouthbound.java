package org.evenweave.app.southbound;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.evenweave.app.network.SwitchNames;
import org.evenweave.app.southbound.SwitchReader.ReadResult;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.runtime.EngineLoop;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.packet.DefaultOutboundPacket;
import org.onosproject.net.packet.PacketService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Programs switches through ONOS's GroupService and FlowRuleService, from whichever instance the
 * engine runs on: the changes are made on each device's master.
 */
public final class OnosSouthbound implements SouthboundPort {
  private static final Logger LOG = LoggerFactory.getLogger(OnosSouthbound.class);

  private final SwitchNames names;
  private final Supplier<CompletableFuture<Void>> mayChange;
  private final PacketService packets;
  private final SwitchReader reader;
  private final GroupChanges groupChanges;
  private final FlowRequests flowRequests;
  private final FlowStoreReconciler reconciler;
  private final PendingChanges pending;

  /** Ids that ONOS may have as pending deletion still; the values mean nothing. */
  private final ExpiringMap<Map.Entry<DeviceId, Integer>, Boolean> deleted;

  private final EngineLoop loop;
  private final Map<DeviceId, Activity> activities = new HashMap<>();
  private boolean warnedOfUdp;

  /** Changes in flight on a device, so that a stale read is not reconciled over them. */
  private static final class Activity {
    int changesBegun;
    int changesInFlight;

    /** Completes when the last read is reconciled with ONOS's flow store, or that failed. */
    CompletableFuture<Void> reconciled = CompletableFuture.completedFuture(null);
  }

  /**
   * @param mayChange called before each change: completes if this engine still leads
   * @param executor for reads of ONOS's flow store, which may block on another instance
   */
  public OnosSouthbound(
      ApplicationId application,
      SwitchNames names,
      Supplier<CompletableFuture<Void>> mayChange,
      GroupRequests groups,
      FlowRequests rules,
      FlowRuleService flows,
      PacketService packets,
      SwitchReader reader,
      PendingChanges pending,
      Executor executor,
      EngineLoop loop) {
    this.names = names;
    this.mayChange = mayChange;
    this.packets = packets;
    this.reader = reader;
    this.pending = pending;
    this.loop = loop;
    this.deleted = new ExpiringMap<>(GroupRequests.DELETED_NANOS, loop::nanoTime);
    FlowTranslator translator = new FlowTranslator(application);
    this.groupChanges =
        new GroupChanges(groups::request, this::watchedGroups, reader::pollForOnos, pending, loop);
    this.flowRequests = rules;
    this.reconciler =
        new FlowStoreReconciler(application, flows, translator, rules::request, executor);
  }

  @Override
  public CompletableFuture<Void> apply(String switchId, List<SwitchOperation> operations) {
    DeviceId device = names.device(switchId);
    operations.stream()
        .filter(operation -> operation.kind() == SwitchOperation.Kind.DELETE_GROUP)
        .forEach(operation -> deleted.put(Map.entry(device, operation.group().id()), true));
    Activity activity = activity(device);
    activity.changesBegun++;
    activity.changesInFlight++;
    CompletableFuture<Void> reconciled = activity.reconciled;
    CompletableFuture<Void> done = mayChange.get().thenCompose(nothing -> reconciled);
    for (List<SwitchOperation> run : runs(operations)) {
      done =
          done.thenCompose(
              before ->
                  isGroup(run.get(0))
                      ? groupChanges.apply(device, run)
                      : flowRequests.request(device, run));
    }
    return named(
        switchId, done.whenCompleteAsync((nothing, error) -> activity.changesInFlight--, loop));
  }

  @Override
  public CompletableFuture<SwitchTables> read(String switchId) {
    DeviceId device = names.device(switchId);
    warnOfUdp();
    Activity activity = activity(device);
    int begun = activity.changesBegun;
    boolean idle = activity.changesInFlight == 0;
    return named(
        switchId,
        watchedTables(device)
            .whenComplete(
                (tables, error) -> {
                  if (error != null) {
                    pending.unread();
                  }
                })
            .thenComposeAsync(
                tables -> {
                  reader.pollForOnos(device);
                  // A read that overlaps a change is stale: the next one is reconciled.
                  return idle && activity.changesBegun == begun
                      ? reconcile(device, activity, tables)
                      : CompletableFuture.completedFuture(tables);
                },
                loop));
  }

  /** Logged once, since it is the same for all switches of ONOS. */
  private void warnOfUdp() {
    if (!warnedOfUdp) {
      warnedOfUdp = true;
      LOG.warn(
          "ONOS programs switches by OpenFlow 1.3, where Open vSwitch's groups hash no UDP ports:"
              + " all UDP flows between two hosts take one path; the embedded controller uses"
              + " OpenFlow 1.5");
    }
  }

  /** This read also sets watch ports, so it needs the permission of a change. */
  private CompletableFuture<List<SelectGroup>> watchedGroups(DeviceId device) {
    return mayChange.get().thenCompose(nothing -> reader.watchedGroups(device));
  }

  /** The tables of a switch, once all its groups have watch ports. */
  private CompletableFuture<SwitchTables> watchedTables(DeviceId device) {
    return reader
        .tables(device)
        .thenCompose(
            result ->
                result.unwatched().isEmpty()
                    ? CompletableFuture.completedFuture(result)
                    : watch(device, result).thenCompose(nothing -> reader.tables(device)))
        .thenApply(ReadResult::tables);
  }

  /** A change like any other: only if this engine leads, and pending until confirmed. */
  private CompletableFuture<Void> watch(DeviceId device, ReadResult result) {
    List<SwitchOperation> changes =
        result.unwatchedGroups().stream()
            .map(SwitchOperation::modifyGroup)
            .collect(Collectors.toList());
    return mayChange
        .get()
        .thenCompose(
            nothing -> {
              PendingChanges.Entry entry = pending.add(device, changes);
              return reader
                  .watchedGroups(device)
                  .whenComplete(
                      (groups, error) -> {
                        if (error == null) {
                          entry.confirmed();
                        } else {
                          entry.givenUp();
                        }
                      });
            })
        .thenAccept(groups -> {});
  }

  /** Changes that begin before this completes wait for it. */
  private CompletableFuture<SwitchTables> reconcile(
      DeviceId device, Activity activity, SwitchTables tables) {
    CompletableFuture<Void> reconciled =
        activity.reconciled.thenCompose(
            before -> reconciler.reconcile(device, tables.flows().values()));
    activity.reconciled = reconciled.exceptionally(error -> null);
    return reconciled.thenApply(nothing -> tables);
  }

  private Activity activity(DeviceId device) {
    return activities.computeIfAbsent(device, any -> new Activity());
  }

  /** Without ids of groups that ONOS may still have as pending deletion: it would not add them. */
  @Override
  public IntStream groupIds(String switchId) {
    DeviceId device = names.device(switchId);
    return GroupTranslator.ids().filter(id -> deleted.get(Map.entry(device, id)) == null);
  }

  @Override
  public void sendPacket(String switchId, int outPort, byte[] frame) {
    packets.emit(
        new DefaultOutboundPacket(
            names.device(switchId),
            DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(outPort)).build(),
            ByteBuffer.wrap(frame)));
  }

  /** Groups and rules are confirmed by different means, so each run of a kind is separate. */
  private static List<List<SwitchOperation>> runs(List<SwitchOperation> operations) {
    List<List<SwitchOperation>> runs = new ArrayList<>();
    for (SwitchOperation operation : operations) {
      List<SwitchOperation> last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
      if (last == null || isGroup(last.get(0)) != isGroup(operation)) {
        last = new ArrayList<>();
        runs.add(last);
      }
      last.add(operation);
    }
    return runs;
  }

  private static boolean isGroup(SwitchOperation operation) {
    return operation.group() != null;
  }

  /** The engine expects its own switch ids, and southbound exceptions only. */
  private static <T> CompletableFuture<T> named(String switchId, CompletableFuture<T> future) {
    return future.handle(
        (value, error) -> {
          if (error == null) {
            return value;
          }
          Throwable cause =
              error instanceof CompletionException && error.getCause() != null
                  ? error.getCause()
                  : error;
          throw new SouthboundException(switchId, String.valueOf(cause.getMessage()));
        });
  }
}
