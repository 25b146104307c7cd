package org.evenweave.app.network;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.evenweave.engine.port.TopologyListener;
import org.evenweave.engine.port.TopologyPort;
import org.evenweave.engine.runtime.EngineLoop;
import org.onosproject.mastership.MastershipListener;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.Port;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.link.LinkListener;
import org.onosproject.net.link.LinkService;

/**
 * The network as ONOS's device, link and mastership services know it.
 *
 * <p>An event only says where to look: what is told to the engine is the difference between what it
 * was told before and what the services say now. So events that are lost, late or out of order (as
 * they can be between the instances of a cluster) do no harm.
 *
 * <p>One thing is not believed at once: that a link is lost while the ports at both of its ends are
 * up. ONOS concludes that from probes that it did not hear for 10 s, and an instance that was cut
 * off from the others concludes it of every link it knows, and tells the others when it is back. So
 * does one that becomes master again, of links that it has not probed meanwhile. All routes would
 * be taken out until the next probes. So such a link is lost only if none finds it again in {@link
 * #PROBES_NANOS}.
 */
public final class OnosTopology implements TopologyPort, AutoCloseable {
  private static final long BPS_PER_MBPS = 1_000_000L;

  /**
   * ONOS probes every 3 s, but a new master was seen to take 7 s until it had found all links
   * again, on two busy cores; and what ONOS itself waits for probes is 10 s.
   */
  static final long PROBES_NANOS = 10_000_000_000L;

  private final DeviceService devices;
  private final LinkService links;
  private final MastershipService masterships;
  private final SwitchNames names;
  private final EngineLoop loop;
  private final MastershipListener mastershipListener = event -> onDevice(event.subject());
  private final DeviceListener deviceListener = this::onDevice;
  private final LinkListener linkListener = event -> onLinks();

  /** What the engine was told; guarded by this. */
  private final Map<DeviceId, Map<Integer, PortState>> portsTold = new HashMap<>();

  private final Set<Cable> cablesTold = new HashSet<>();

  /** Since when cables are missing whose ports are up; of those that were told. */
  private final Map<Cable, Long> missingSinceNanos = new HashMap<>();

  private TopologyListener listener;

  /**
   * @param loop to look again on, after a while
   */
  public OnosTopology(
      DeviceService devices,
      LinkService links,
      MastershipService masterships,
      SwitchNames names,
      EngineLoop loop) {
    this.devices = devices;
    this.links = links;
    this.masterships = masterships;
    this.names = names;
    this.loop = loop;
  }

  @Override
  public synchronized void setListener(TopologyListener newListener) {
    listener = newListener;
    devices.addListener(deviceListener);
    links.addListener(linkListener);
    masterships.addListener(mastershipListener);
    lookAtAll();
  }

  /** Compares everything with what the engine was told. */
  public synchronized void lookAtAll() {
    long atNanos = loop.nanoTime();
    devices.getDevices().forEach(device -> look(device.id(), atNanos));
    lookAtLinks(atNanos);
  }

  /** The packet came from a port of a device to the controller. */
  public void packetIn(ConnectPoint from, byte[] frame) {
    long atNanos = loop.nanoTime();
    TopologyListener told;
    synchronized (this) {
      if (!portsTold.containsKey(from.deviceId())) {
        return;
      }
      told = listener;
    }
    told.packetIn(names.nameOf(from.deviceId()), (int) from.port().toLong(), frame, atNanos);
  }

  @Override
  public void close() {
    devices.removeListener(deviceListener);
    links.removeListener(linkListener);
    masterships.removeListener(mastershipListener);
  }

  private void onDevice(DeviceEvent event) {
    if (event.type() != DeviceEvent.Type.PORT_STATS_UPDATED) {
      onDevice(event.subject().id());
    }
  }

  private void onDevice(DeviceId device) {
    long atNanos = loop.nanoTime();
    synchronized (this) {
      look(device, atNanos);
      // A link that was seen before its switch was available counts from now on.
      lookAtLinks(atNanos);
    }
  }

  private void onLinks() {
    long atNanos = loop.nanoTime();
    synchronized (this) {
      lookAtLinks(atNanos);
    }
  }

  private void look(DeviceId device, long atNanos) {
    if (!SwitchNames.isSwitch(device)) {
      return;
    }
    String name = names.nameOf(device);
    if (!isConnected(device)) {
      if (portsTold.remove(device) != null) {
        cablesTold.removeIf(cable -> cable.touches(device));
        missingSinceNanos.keySet().retainAll(cablesTold);
        listener.switchDown(name, atNanos);
      }
      return;
    }
    Map<Integer, PortState> told = portsTold.get(device);
    if (told == null) {
      told = new HashMap<>();
      portsTold.put(device, told);
      listener.switchUp(name, atNanos);
    }
    tellPorts(name, told, portsNow(device), atNanos);
  }

  /**
   * Whether some instance can reach the switch. An instance that was cut off from the others goes
   * on believing that switches are not available, long after it is back; but who is master of what
   * it learns at once.
   */
  private boolean isConnected(DeviceId device) {
    return devices.isAvailable(device)
        || (devices.getDevice(device) != null && masterships.getMasterFor(device) != null);
  }

  private void tellPorts(
      String name, Map<Integer, PortState> told, Map<Integer, PortState> now, long atNanos) {
    Set<Integer> numbers = new HashSet<>(told.keySet());
    numbers.addAll(now.keySet());
    for (int number : numbers) {
      PortState state = now.getOrDefault(number, PortState.GONE);
      if (!state.equals(told.put(number, state))) {
        listener.portChanged(name, number, state.up, state.speedBps, atNanos);
      }
    }
  }

  private Map<Integer, PortState> portsNow(DeviceId device) {
    Map<Integer, PortState> now = new HashMap<>();
    for (Port port : devices.getPorts(device)) {
      if (!port.number().isLogical()) {
        long speedBps = port.portSpeed() * BPS_PER_MBPS;
        now.put((int) port.number().toLong(), new PortState(port.isEnabled(), speedBps));
      }
    }
    return now;
  }

  /** The engine forgets the cables of a port that goes down, so they must be told anew. */
  private boolean isUp(ConnectPoint end) {
    Map<Integer, PortState> ports = portsTold.getOrDefault(end.deviceId(), Map.of());
    return ports.getOrDefault((int) end.port().toLong(), PortState.GONE).up;
  }

  private void lookAtLinks(long atNanos) {
    Set<Cable> now = new HashSet<>();
    for (Link link : links.getActiveLinks()) {
      Cable cable = new Cable(link.src(), link.dst());
      if (isUp(cable.from) && isUp(cable.to)) {
        now.add(cable);
      }
    }
    for (Cable cable : now) {
      if (cablesTold.add(cable)) {
        listener.linkSeen(
            names.nameOf(cable.from.deviceId()),
            (int) cable.from.port().toLong(),
            names.nameOf(cable.to.deviceId()),
            (int) cable.to.port().toLong(),
            atNanos);
      }
    }
    missingSinceNanos.keySet().removeAll(now);
    Set<Cable> missing = new HashSet<>(cablesTold);
    missing.removeAll(now);
    for (Cable cable : missing) {
      if (isUp(cable.from) && isUp(cable.to) && !isMissingForLong(cable, atNanos)) {
        continue;
      }
      missingSinceNanos.remove(cable);
      cablesTold.remove(cable);
      listener.linkLost(
          names.nameOf(cable.from.deviceId()),
          (int) cable.from.port().toLong(),
          names.nameOf(cable.to.deviceId()),
          (int) cable.to.port().toLong(),
          atNanos);
    }
  }

  private boolean isMissingForLong(Cable cable, long atNanos) {
    Long sinceNanos = missingSinceNanos.putIfAbsent(cable, atNanos);
    if (sinceNanos == null) {
      loop.schedule(this::onLinks, PROBES_NANOS);
    }
    return sinceNanos != null && atNanos - sinceNanos >= PROBES_NANOS;
  }
}
