package org.evenweave.app.network;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.evenweave.engine.port.PortCounters;

/** How link discovery reaches switches. */
public interface ProbeChannel {
  /**
   * Sends each frame out of its port.
   *
   * @return completes when the switch has confirmed that it sent all of them, and if what it
   *     receives by them is passed to this instance
   */
  CompletableFuture<Void> sendProbes(String switchId, Map<Integer, byte[]> frameByPort);

  /** What the switch's ports have counted, by port number. */
  CompletableFuture<Map<Integer, PortCounters>> countPorts(String switchId);
}
