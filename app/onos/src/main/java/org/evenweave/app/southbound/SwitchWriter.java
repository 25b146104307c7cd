package org.evenweave.app.southbound;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchOperation;
import org.onosproject.net.DeviceId;

/**
 * Changes the switches that this instance is master of, for the leader of the latest epoch. Every
 * request has the leader's epoch and its number within it. One of an earlier epoch is refused, for
 * another instance leads; and so is one that arrives after a later request for the same switch, for
 * the leader has given it up.
 */
final class SwitchWriter {
  /** Operations that one reply confirms; bounds how much a switch has before it. */
  static final int CHUNK = 128;

  private final OpenFlowChannel channel;
  private final Map<DeviceId, Long> latestOf = new ConcurrentHashMap<>();
  private long latestEpoch;

  /**
   * @param channel to the switches of this instance
   */
  SwitchWriter(OpenFlowChannel channel) {
    this.channel = channel;
  }

  /**
   * Notes a request for a switch, which fences off earlier ones.
   *
   * @throws SouthboundException if a later one was noted before
   */
  synchronized void admit(DeviceId device, long epoch, long number) {
    requireLatest(device, epoch);
    if (epoch > latestEpoch) {
      latestEpoch = epoch;
      latestOf.clear();
    }
    if (number < latestOf.getOrDefault(device, Long.MIN_VALUE)) {
      throw new SouthboundException(
          device.toString(), "was to be changed by a request that is late");
    }
    latestOf.put(device, number);
  }

  private synchronized void requireLatest(DeviceId device, long epoch) {
    if (epoch < latestEpoch) {
      throw new SouthboundException(device.toString(), "is changed by another leader");
    }
  }

  /**
   * Makes changes in order, chunk after chunk, until one fails.
   *
   * @param epoch of a request that was admitted
   * @return completes when the switch has confirmed all of them; fails with a {@link
   *     SouthboundException}
   */
  CompletableFuture<Void> apply(DeviceId device, long epoch, List<SwitchOperation> operations) {
    CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
    for (int from = 0; from < operations.size(); from += CHUNK) {
      List<SwitchOperation> chunk =
          operations.subList(from, Math.min(operations.size(), from + CHUNK));
      done =
          done.thenCompose(
              nothing -> {
                requireLatest(device, epoch);
                return channel.change(device, chunk);
              });
    }
    return done;
  }
}
