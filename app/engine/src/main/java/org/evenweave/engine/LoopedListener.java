package org.evenweave.engine;

import java.util.concurrent.atomic.AtomicInteger;
import org.evenweave.engine.port.TopologyListener;
import org.evenweave.engine.runtime.EngineLoop;

/**
 * Brings the runtime's calls, from whatever thread, onto the engine's loop, in their order. Packets
 * beyond a bound are dropped, as a switch's own queue to its controller would drop them: a storm of
 * them must not keep the loop from what happens to the network, nor fill the memory.
 */
final class LoopedListener implements TopologyListener {
  private static final int MAX_WAITING_PACKETS = 1024;

  private final AtomicInteger waitingPackets = new AtomicInteger();
  private final EngineLoop loop;
  private final Engine engine;

  LoopedListener(EngineLoop loop, Engine engine) {
    this.loop = loop;
    this.engine = engine;
  }

  @Override
  public void switchUp(String switchId, long atNanos) {
    loop.execute(() -> engine.switchUp(switchId));
  }

  @Override
  public void switchDown(String switchId, long atNanos) {
    loop.execute(() -> engine.switchDown(switchId, atNanos));
  }

  @Override
  public void portChanged(String switchId, int port, boolean up, long speedBps, long atNanos) {
    loop.execute(() -> engine.portChanged(switchId, port, up, speedBps, atNanos));
  }

  @Override
  public void linkSeen(String fromSwitch, int fromPort, String toSwitch, int toPort, long atNanos) {
    loop.execute(
        () -> {
          engine.nib().linkSeen(fromSwitch + "/" + fromPort, toSwitch + "/" + toPort);
          engine.topologyChanged(atNanos);
        });
  }

  @Override
  public void linkLost(String fromSwitch, int fromPort, String toSwitch, int toPort, long atNanos) {
    loop.execute(
        () -> {
          engine.nib().linkLost(fromSwitch + "/" + fromPort, toSwitch + "/" + toPort);
          engine.topologyChanged(atNanos);
        });
  }

  @Override
  public void packetIn(String switchId, int inPort, byte[] frame, long atNanos) {
    if (waitingPackets.incrementAndGet() > MAX_WAITING_PACKETS) {
      waitingPackets.decrementAndGet();
      return;
    }
    loop.execute(
        () -> {
          waitingPackets.decrementAndGet();
          engine.responder().packetIn(switchId, inPort, frame);
        });
  }
}
