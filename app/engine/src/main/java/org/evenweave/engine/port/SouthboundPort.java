package org.evenweave.engine.port;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.foreign.ForeignTables;

/**
 * How the engine programs switches. A runtime implements it over its own channel to them.
 *
 * <p>Switches are named by the id the runtime gave to {@link TopologyListener#switchUp}. Futures
 * complete exceptionally with a {@link SouthboundException}, never silently.
 */
public interface SouthboundPort extends SwitchTraits {
  /**
   * Sends the operations in order and then a barrier. Completes when the switch has confirmed that
   * all of them took effect; fails with the first operation the switch refused, or when the switch
   * is lost or does not answer in time (the switch's tables are then unknown and must be read).
   *
   * <p>What depends on the future may run on a thread that serves switches, and must not block.
   */
  CompletableFuture<Void> apply(String switchId, List<SwitchOperation> operations);

  /**
   * Reads back the groups and rules that are Evenweave's. Others' are neither shown nor touched.
   */
  CompletableFuture<SwitchTables> read(String switchId);

  /**
   * Reads all groups and rules, others' too. A runtime that cannot tell what others have installed
   * shows Evenweave's alone.
   */
  default CompletableFuture<SwitchReading> readAll(String switchId) {
    return read(switchId).thenApply(own -> new SwitchReading(own, ForeignTables.NONE));
  }

  /**
   * Deletes rules that are not Evenweave's, each if it is still as it was read, and then sends a
   * barrier. Completes as {@link #apply} does.
   *
   * @return fails at once where the runtime never deletes others' rules
   */
  default CompletableFuture<Void> removeForeign(String switchId, List<ForeignRule> rules) {
    return CompletableFuture.failedFuture(
        new SouthboundException(switchId, "this runtime does not delete foreign rules"));
  }

  /**
   * Reads what the engine's rules that route prefixes have counted. Fails where a runtime cannot
   * tell.
   */
  default CompletableFuture<Collection<RuleCount>> countRoutes(String switchId) {
    return CompletableFuture.failedFuture(
        new SouthboundException(switchId, "its rules' counters cannot be read"));
  }

  /**
   * Reads what the switch's ports have counted, by port number. The switch reads its counters after
   * this call and before the future completes. Fails where a runtime cannot tell.
   */
  default CompletableFuture<Map<Integer, PortCounters>> countPorts(String switchId) {
    return CompletableFuture.failedFuture(
        new SouthboundException(switchId, "its ports' counters cannot be read"));
  }

  /** Sends one Ethernet frame out of a port; delivery is not confirmed. */
  void sendPacket(String switchId, int outPort, byte[] frame);
}
