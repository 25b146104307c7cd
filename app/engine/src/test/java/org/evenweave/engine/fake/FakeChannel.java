package org.evenweave.engine.fake;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.PortCounters;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.realisation.SwitchTarget;

/** One controller's way to a network, until the controller is dead. */
final class FakeChannel implements SouthboundPort {
  private final SouthboundPort network;
  private final Predicate<FakeChannel> isAlive;

  FakeChannel(SouthboundPort network, Predicate<FakeChannel> isAlive) {
    this.network = network;
    this.isAlive = isAlive;
  }

  @Override
  public CompletableFuture<Void> apply(String switchId, List<SwitchOperation> operations) {
    return isAlive.test(this) ? network.apply(switchId, operations) : dead(switchId);
  }

  @Override
  public CompletableFuture<SwitchTables> read(String switchId) {
    return isAlive.test(this) ? network.read(switchId) : dead(switchId);
  }

  @Override
  public CompletableFuture<Map<Integer, PortCounters>> countPorts(String switchId) {
    return isAlive.test(this) ? network.countPorts(switchId) : dead(switchId);
  }

  @Override
  public Collection<FlowRule> standingRules() {
    return network.standingRules();
  }

  @Override
  public SwitchTarget target(String switchId) {
    return network.target(switchId);
  }

  private static <T> CompletableFuture<T> dead(String switchId) {
    return CompletableFuture.failedFuture(new SouthboundException(switchId, "no controller"));
  }

  @Override
  public void sendPacket(String switchId, int outPort, byte[] frame) {
    network.sendPacket(switchId, outPort, frame);
  }
}
