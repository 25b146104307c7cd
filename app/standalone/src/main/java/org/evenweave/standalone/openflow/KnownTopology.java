package org.evenweave.standalone.openflow;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.TopologyListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes events on to a listener, and remembers which switches and ports there are, and since when,
 * to tell a listener that is set late. Links are remembered by who discovers them. Not thread-safe,
 * but for {@link #packetDropped}.
 */
final class KnownTopology implements TopologyListener {
  private static final Logger LOG = LoggerFactory.getLogger(KnownTopology.class);

  private final Map<String, KnownSwitch> switches = new TreeMap<>();
  private volatile TopologyListener listener;

  private static final class KnownSwitch {
    final long upAtNanos;

    /** What to say of each port, by port number. */
    final Map<Integer, Consumer<TopologyListener>> ports = new TreeMap<>();

    KnownSwitch(long upAtNanos) {
      this.upAtNanos = upAtNanos;
    }
  }

  /** Tells a new listener all switches and ports, and then every event. */
  void setListener(TopologyListener newListener) {
    listener = newListener;
    switches.forEach(
        (id, known) -> {
          tell(to -> to.switchUp(id, known.upAtNanos));
          known.ports.values().forEach(this::tell);
          tell(to -> to.portsComplete(id, known.upAtNanos));
        });
  }

  @Override
  public void switchUp(String switchId, long atNanos) {
    switches.put(switchId, new KnownSwitch(atNanos));
    tell(to -> to.switchUp(switchId, atNanos));
  }

  @Override
  public void switchDown(String switchId, long atNanos) {
    switches.remove(switchId);
    tell(to -> to.switchDown(switchId, atNanos));
  }

  @Override
  public void portChanged(String switchId, int port, boolean up, long speedBps, long atNanos) {
    Consumer<TopologyListener> change = to -> to.portChanged(switchId, port, up, speedBps, atNanos);
    switches.get(switchId).ports.put(port, change);
    tell(change);
  }

  @Override
  public void portsComplete(String switchId, long atNanos) {
    tell(to -> to.portsComplete(switchId, atNanos));
  }

  @Override
  public void probeRoundPassed(long atNanos) {
    tell(to -> to.probeRoundPassed(atNanos));
  }

  @Override
  public void linkSeen(String fromSwitch, int fromPort, String toSwitch, int toPort, long atNanos) {
    tell(to -> to.linkSeen(fromSwitch, fromPort, toSwitch, toPort, atNanos));
  }

  @Override
  public void linkLost(String fromSwitch, int fromPort, String toSwitch, int toPort, long atNanos) {
    tell(to -> to.linkLost(fromSwitch, fromPort, toSwitch, toPort, atNanos));
  }

  @Override
  public void ruleRemoved(String switchId, FlowRule rule, long atNanos) {
    tell(to -> to.ruleRemoved(switchId, rule, atNanos));
  }

  @Override
  public void packetIn(String switchId, int inPort, byte[] frame, long atNanos) {
    tell(to -> to.packetIn(switchId, inPort, frame, atNanos));
  }

  @Override
  public void packetDropped(String switchId, int inPort) {
    tell(to -> to.packetDropped(switchId, inPort));
  }

  /** A listener that throws misses that call, and nobody anything else. */
  private void tell(Consumer<TopologyListener> call) {
    TopologyListener to = listener;
    if (to != null) {
      try {
        call.accept(to);
      } catch (RuntimeException e) {
        LOG.error("the listener failed", e);
      }
    }
  }
}
