package org.evenweave.standalone.openflow;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.evenweave.engine.nib.PortSettings;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.TopologyListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes events on to a listener, and remembers which switches and ports there are, and since when,
 * to replay them to a listener that is set late. Link discovery keeps the links. Not thread-safe,
 * except for {@link #packetsDropped}.
 */
final class KnownTopology implements TopologyListener {
  private static final Logger LOG = LoggerFactory.getLogger(KnownTopology.class);

  private final Map<String, KnownSwitch> switches = new TreeMap<>();

  /** Those of which another controller is master, and since when. */
  private final Map<String, Long> barred = new TreeMap<>();

  private volatile TopologyListener listener;

  private static final class KnownSwitch {
    final long upAtNanos;

    /** The last report of each port's settings, by port number. */
    final Map<Integer, Consumer<TopologyListener>> settings = new TreeMap<>();

    /** The last report of each port, by port number. */
    final Map<Integer, Consumer<TopologyListener>> ports = new TreeMap<>();

    KnownSwitch(long upAtNanos) {
      this.upAtNanos = upAtNanos;
    }
  }

  /** Replays all switches and ports to a new listener, then passes every event to it. */
  void setListener(TopologyListener newListener) {
    listener = newListener;
    switches.forEach(
        (id, known) -> {
          notifyListener(to -> to.switchUp(id, known.upAtNanos));
          known.settings.values().forEach(this::notifyListener);
          known.ports.values().forEach(this::notifyListener);
          notifyListener(to -> to.portsComplete(id, known.upAtNanos));
        });
    barred.forEach((id, since) -> notifyListener(to -> to.switchBarred(id, true, since)));
  }

  @Override
  public void switchBarred(String switchId, boolean isBarred, long atNanos) {
    boolean changed =
        isBarred ? barred.putIfAbsent(switchId, atNanos) == null : barred.remove(switchId) != null;
    if (changed) {
      notifyListener(to -> to.switchBarred(switchId, isBarred, atNanos));
    }
  }

  /** Whether another controller is a switch's master. */
  boolean isBarred(String switchId) {
    return barred.containsKey(switchId);
  }

  @Override
  public void otherMaster(String switchId, String address) {
    notifyListener(to -> to.otherMaster(switchId, address));
  }

  @Override
  public void duplicateSwitch(String switchId, String used, String refused, long atNanos) {
    notifyListener(to -> to.duplicateSwitch(switchId, used, refused, atNanos));
  }

  @Override
  public void switchUp(String switchId, long atNanos) {
    switches.put(switchId, new KnownSwitch(atNanos));
    notifyListener(to -> to.switchUp(switchId, atNanos));
  }

  @Override
  public void switchDown(String switchId, long atNanos) {
    switches.remove(switchId);
    notifyListener(to -> to.switchDown(switchId, atNanos));
  }

  @Override
  public void portSettings(
      String switchId, int port, PortSettings settings, boolean withheld, long atNanos) {
    Consumer<TopologyListener> report =
        to -> to.portSettings(switchId, port, settings, withheld, atNanos);
    switches.get(switchId).settings.put(port, report);
    notifyListener(report);
  }

  @Override
  public void portChanged(String switchId, int port, boolean up, long speedBps, long atNanos) {
    Consumer<TopologyListener> change = to -> to.portChanged(switchId, port, up, speedBps, atNanos);
    switches.get(switchId).ports.put(port, change);
    notifyListener(change);
  }

  @Override
  public void portsComplete(String switchId, long atNanos) {
    notifyListener(to -> to.portsComplete(switchId, atNanos));
  }

  @Override
  public void probeRoundPassed(Set<String> switchIds, long atNanos) {
    notifyListener(to -> to.probeRoundPassed(switchIds, atNanos));
  }

  @Override
  public void linkSeen(String fromSwitch, int fromPort, String toSwitch, int toPort, long atNanos) {
    notifyListener(to -> to.linkSeen(fromSwitch, fromPort, toSwitch, toPort, atNanos));
  }

  @Override
  public void linkLost(String fromSwitch, int fromPort, String toSwitch, int toPort, long atNanos) {
    notifyListener(to -> to.linkLost(fromSwitch, fromPort, toSwitch, toPort, atNanos));
  }

  @Override
  public void ruleRemoved(String switchId, FlowRule rule, long atNanos) {
    notifyListener(to -> to.ruleRemoved(switchId, rule, atNanos));
  }

  @Override
  public void rulesChanged(String switchId, long atNanos) {
    notifyListener(to -> to.rulesChanged(switchId, atNanos));
  }

  @Override
  public void packetIn(String switchId, int inPort, byte[] frame, long atNanos) {
    notifyListener(to -> to.packetIn(switchId, inPort, frame, atNanos));
  }

  @Override
  public void packetsDropped(String switchId, int inPort, long count) {
    notifyListener(to -> to.packetsDropped(switchId, inPort, count));
  }

  /** An exception of the listener costs it that call, and nothing else. */
  private void notifyListener(Consumer<TopologyListener> call) {
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
