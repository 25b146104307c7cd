package org.evenweave.app;

import java.util.ArrayDeque;
import java.util.Deque;
import org.evenweave.app.cluster.LeaderEpoch;
import org.evenweave.app.network.OnosTopology;
import org.evenweave.engine.Engine;
import org.onosproject.net.ConnectPoint;

/** An engine at work on this instance, from when it became leader until it no longer is. */
final class EngineRun implements AutoCloseable {
  private final LeaderEpoch term;
  private final Engine engine;
  private final OnosTopology topology;
  private final Deque<Runnable> closers = new ArrayDeque<>();

  /**
   * @param closeLast ends what the engine and the topology run on
   */
  EngineRun(LeaderEpoch term, Engine engine, OnosTopology topology, Runnable closeLast) {
    this.term = term;
    this.engine = engine;
    this.topology = topology;
    closers.push(closeLast);
    closers.push(engine::close);
    closers.push(topology::close);
    engine.start();
  }

  LeaderEpoch term() {
    return term;
  }

  Engine engine() {
    return engine;
  }

  void packetIn(ConnectPoint from, byte[] frame) {
    topology.packetIn(from, frame);
  }

  /** Stops the engine; the switches go on with what they have. */
  @Override
  public void close() {
    while (!closers.isEmpty()) {
      closers.pop().run();
    }
  }
}
