package org.evenweave.app.southbound;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.evenweave.engine.port.SwitchOperation;
import org.onosproject.net.DeviceId;

/** Changes rules of one device, and counts the outcomes. */
final class FlowChanges {
  private final BiFunction<DeviceId, List<SwitchOperation>, CompletableFuture<Void>> request;
  private final PendingChanges pending;

  /**
   * @param request as {@link FlowRequests#request}
   */
  FlowChanges(
      BiFunction<DeviceId, List<SwitchOperation>, CompletableFuture<Void>> request,
      PendingChanges pending) {
    this.request = request;
    this.pending = pending;
  }

  /** Completes when the switch has confirmed all operations, which are on rules only. */
  CompletableFuture<Void> apply(DeviceId device, List<SwitchOperation> operations) {
    PendingChanges.Entry entry = pending.add(device, operations);
    return request
        .apply(device, operations)
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
