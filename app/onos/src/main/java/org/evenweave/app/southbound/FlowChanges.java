package org.evenweave.app.southbound;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.evenweave.engine.port.SwitchOperation;
import org.onosproject.net.DeviceId;

/** Changes the rules of one device, and counts what becomes of it. */
final class FlowChanges {
  private final BiFunction<DeviceId, List<SwitchOperation>, CompletableFuture<Void>> ask;
  private final PendingChanges pending;

  /**
   * @param ask as {@link FlowRequests#ask}
   */
  FlowChanges(
      BiFunction<DeviceId, List<SwitchOperation>, CompletableFuture<Void>> ask,
      PendingChanges pending) {
    this.ask = ask;
    this.pending = pending;
  }

  /** Completes when the switch has confirmed all of the operations, which are on rules only. */
  CompletableFuture<Void> apply(DeviceId device, List<SwitchOperation> operations) {
    PendingChanges.Entry entry = pending.add(device, operations);
    return ask.apply(device, operations)
        .orTimeout(pending.timeoutNanos(), TimeUnit.NANOSECONDS)
        .whenComplete(
            (nothing, error) -> {
              if (error == null) {
                entry.confirmed();
              } else if (error instanceof TimeoutException) {
                entry.givenUp();
              } else {
                entry.refused();
              }
            });
  }
}
