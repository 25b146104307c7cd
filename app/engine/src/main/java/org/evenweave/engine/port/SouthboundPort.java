package org.evenweave.engine.port;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * How the engine programs switches. A runtime implements it over its own channel to them.
 *
 * <p>Switches are named by the id the runtime gave to {@link TopologyListener#switchUp}. Futures
 * complete exceptionally with a {@link SouthboundException}, never silently.
 */
public interface SouthboundPort {
  /**
   * Sends the operations in order and then a barrier. Completes when the switch has confirmed that
   * all of them took effect; fails with the first operation the switch refused, or when the switch
   * is lost or does not answer in time (the switch's tables are then unknown and must be read).
   */
  CompletableFuture<Void> apply(String switchId, List<SwitchOperation> operations);

  /**
   * Reads back the groups and rules that are Evenweave's. Others' are neither shown nor touched.
   */
  CompletableFuture<SwitchTables> read(String switchId);

  /**
   * The rules that every switch holds whatever the fabric is, because this runtime needs them. They
   * are part of the tables that are wanted, so that they are audited and repaired like all others.
   */
  default Collection<FlowRule> standingRules() {
    return List.of();
  }

  /**
   * Whether the groups of a switch hash flows with a basis of that switch's own, and UDP ports too.
   * Elsewhere the switch's own hash decides: Open vSwitch's is then the same in every switch, and
   * sends all UDP flows between two hosts one way.
   */
  default boolean seedsHash(String switchId) {
    return false;
  }

  /**
   * The ids that a new group of a switch may get if no group of the switch has them, best first. A
   * group has the same id here, in the switch and in REST, logs and events.
   */
  default IntStream groupIds(String switchId) {
    return anyGroupId();
  }

  /** The ids from 1 on, where there is nothing to choose. */
  static IntStream anyGroupId() {
    return IntStream.iterate(1, id -> id + 1);
  }

  /** Sends one Ethernet frame out of a port; delivery is not confirmed. */
  void sendPacket(String switchId, int outPort, byte[] frame);
}
