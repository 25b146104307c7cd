package org.evenweave.app.southbound;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.openflow.OperationMessages;
import org.evenweave.openflow.OperationStep;
import org.onosproject.net.DeviceId;

/**
 * Changes the switches that this instance is master of, for the leader of the latest epoch. Every
 * request has the leader's epoch and its number within it. One of an earlier epoch is refused, for
 * another instance leads; and so is one that arrives after a later request for the same switch,
 * because the leader has abandoned it.
 */
final class SwitchWriter {
  /** Messages that one reply confirms; bounds how much a switch has before it. */
  static final int CHUNK = 128;

  /** Slots that a busy machine writes well within the time allowed: twice as many took it 1 s. */
  private static final int SLOTS_PER_TIMEOUT = 4096;

  private final OpenFlowChannel channel;
  private final Map<DeviceId, Long> latestOf = new ConcurrentHashMap<>();
  private long latestEpoch;

  /**
   * @param channel to the switches of this instance
   */
  SwitchWriter(OpenFlowChannel channel) {
    this.channel = channel;
  }

  /** How often the time allowed for a change of a few messages is allowed for these. */
  static long timeouts(List<SwitchOperation> operations) {
    long slots =
        operations.stream()
            .filter(operation -> operation.group() != null && operation.group().isLarge())
            .mapToLong(operation -> operation.group().bucketCount())
            .sum();
    return 1 + slots / SLOTS_PER_TIMEOUT;
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
      throw new SouthboundException(device.toString(), "a later request for it has arrived");
    }
    latestOf.put(device, number);
  }

  private synchronized void requireLatest(DeviceId device, long epoch) {
    if (epoch < latestEpoch) {
      throw new SouthboundException(device.toString(), "is changed by another leader");
    }
  }

  /**
   * Makes changes in order, chunk after chunk, until one fails. Nothing is sent if one of them has
   * no form in OpenFlow.
   *
   * @param epoch of a request that was admitted
   * @return completes when the switch has confirmed all of them; fails with a {@link
   *     SouthboundException}
   */
  CompletableFuture<Void> apply(DeviceId device, long epoch, List<SwitchOperation> operations) {
    List<OperationStep> steps = new ArrayList<>();
    for (SwitchOperation operation : operations) {
      String problem = OwnEntries.problem(operation);
      if (problem != null) {
        return CompletableFuture.failedFuture(
            new SouthboundException(
                device.toString(),
                "is not sent " + OperationMessages.name(operation) + ": " + problem));
      }
      steps.addAll(OwnEntries.OPERATIONS.steps(operation));
    }
    CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
    for (int from = 0; from < steps.size(); from += CHUNK) {
      List<OperationStep> chunk = steps.subList(from, Math.min(steps.size(), from + CHUNK));
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
