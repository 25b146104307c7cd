package org.evenweave.app;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.evenweave.app.cluster.LeaderEpoch;
import org.evenweave.app.network.OnosTopology;
import org.evenweave.engine.Engine;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.ovsdb.BfdSetup;
import org.evenweave.ovsdb.OvsdbTls;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;

/** A running engine with its topology and epoch, from a start to a stop by {@link EngineRunner}. */
final class EngineRun implements AutoCloseable {
  private final LeaderEpoch epoch;
  private final Engine engine;
  private final OnosTopology topology;
  private final Deque<Runnable> closers = new ArrayDeque<>();

  /**
   * @param bfdServers the OVSDB servers where the runs before have set up BFD
   * @param closeLast closes the loop of the engine and the topology
   */
  EngineRun(
      LeaderEpoch epoch,
      Engine engine,
      OnosTopology topology,
      Set<String> bfdServers,
      Runnable closeLast) {
    this.epoch = epoch;
    this.engine = engine;
    this.topology = topology;
    closers.push(closeLast);
    closers.push(engine::close);
    closers.push(topology::close);
    engine.start();
    BfdSetup bfd = BfdSetup.of(engine, epoch::isConfirmed, bfdServers, OvsdbTls.NONE);
    closers.push(bfd::close);
    bfd.start();
  }

  LeaderEpoch epoch() {
    return epoch;
  }

  Engine engine() {
    return engine;
  }

  void ruleRemoved(DeviceId device, FlowRule rule) {
    topology.ruleRemoved(device, rule);
  }

  void packetIn(ConnectPoint from, byte[] frame) {
    topology.packetIn(from, frame);
  }

  void packetsDropped(ConnectPoint from, long count) {
    topology.packetsDropped(from, count);
  }

  void rulesChanged(DeviceId device) {
    topology.rulesChanged(device);
  }

  /** Stops the engine; the switches keep their tables. */
  @Override
  public void close() {
    while (!closers.isEmpty()) {
      closers.pop().run();
    }
  }
}
