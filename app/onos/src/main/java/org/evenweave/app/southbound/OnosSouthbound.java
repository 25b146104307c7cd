package org.evenweave.app.southbound;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.evenweave.app.network.SwitchNames;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.runtime.EngineLoop;
import org.onlab.util.SharedExecutors;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.packet.DefaultOutboundPacket;
import org.onosproject.net.packet.PacketService;

/**
 * Programs switches through ONOS's group and flow rule services, from whichever instance the engine
 * runs on: ONOS passes both on to the device's master.
 */
public final class OnosSouthbound implements SouthboundPort {
  private final SwitchNames names;
  private final Supplier<CompletableFuture<Void>> mayChange;
  private final PacketService packets;
  private final ClusterReader reader;
  private final GroupChanges groupChanges;
  private final FlowChanges flowChanges;
  private final FlowBook flowBook;
  private final PendingChanges pending;
  private final DeletedGroups deleted;

  /**
   * @param mayChange asked before switches are changed: completes if they may be
   */
  public OnosSouthbound(
      ApplicationId application,
      SwitchNames names,
      Supplier<CompletableFuture<Void>> mayChange,
      GroupRequests groups,
      FlowRuleService flows,
      PacketService packets,
      ClusterReader reader,
      PendingChanges pending,
      EngineLoop loop) {
    this.names = names;
    this.mayChange = mayChange;
    this.packets = packets;
    this.reader = reader;
    this.pending = pending;
    this.deleted = new DeletedGroups(loop::nanoTime);
    FlowTranslator translator = new FlowTranslator(application);
    this.groupChanges =
        new GroupChanges(groups::ask, reader::groups, reader::letOnosRead, pending, loop);
    this.flowChanges = new FlowChanges(flows, translator, pending);
    this.flowBook =
        new FlowBook(
            application, flows, translator, flowChanges, SharedExecutors.getPoolThreadExecutor());
  }

  @Override
  public CompletableFuture<Void> apply(String switchId, List<SwitchOperation> operations) {
    DeviceId device = names.device(switchId);
    operations.stream()
        .filter(operation -> operation.kind() == SwitchOperation.Kind.DELETE_GROUP)
        .forEach(operation -> deleted.deleted(device, operation.group().id()));
    CompletableFuture<Void> done = mayChange.get();
    for (List<SwitchOperation> run : runs(operations)) {
      done =
          done.thenCompose(
              before ->
                  isGroup(run.get(0))
                      ? groupChanges.apply(device, run)
                      : flowChanges.apply(device, run));
    }
    return named(switchId, done);
  }

  @Override
  public CompletableFuture<SwitchTables> read(String switchId) {
    DeviceId device = names.device(switchId);
    return named(
        switchId,
        reader
            .tables(device)
            .whenComplete(
                (tables, error) -> {
                  if (error != null) {
                    pending.unread();
                  }
                })
            .thenCompose(
                tables -> {
                  reader.letOnosRead(device);
                  return flowBook
                      .enter(device, tables.flows().values())
                      .thenApply(entered -> tables);
                }));
  }

  /** Not those of groups that ONOS may still have down as to be removed: it would add none. */
  @Override
  public IntStream groupIds(String switchId) {
    DeviceId device = names.device(switchId);
    return GroupIdRange.all().filter(id -> !deleted.contains(device, id));
  }

  @Override
  public void sendPacket(String switchId, int outPort, byte[] frame) {
    packets.emit(
        new DefaultOutboundPacket(
            names.device(switchId),
            DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(outPort)).build(),
            ByteBuffer.wrap(frame)));
  }

  /** Groups are confirmed by one means, rules by another, so each run of a kind goes by itself. */
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

  /** The engine knows switches by its own names and hears of nothing but southbound failures. */
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
