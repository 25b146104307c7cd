package org.evenweave.app.network;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
 * <p>All looking is done on the engine's loop: ONOS ejects a listener for good that takes longer
 * than 1.8 s over one event, and a busy machine can make anything take so long. Should that happen
 * all the same, or an event be lost, it is made good by a look at everything now and then.
 *
 * <p>Two things are not believed at once: that a link is lost while the ports at both of its ends
 * are up ({@link LinkAging}), and that a port is joined with another one than before. For where
 * ONOS (2.7.0) sends two probes of a switch at a time, as when it becomes its master, it can put
 * the one's port into the other. It loses such a link again after 10 s, but keeps it for good if
 * the instance that found it ends. So of links that share a port those count that were found in
 * both directions, and of these the one that was known before.
 */
public final class OnosTopology implements TopologyPort, AutoCloseable {
  private static final long BPS_PER_MBPS = 1_000_000L;

  /** Pause between two looks at everything; ONOS's own discovery looks as often. */
  static final long LOOK_NANOS = 5_000_000_000L;

  private final DeviceService devices;
  private final LinkService links;
  private final MastershipService masterships;
  private final SwitchNames names;
  private final EngineLoop loop;
  private final MastershipListener mastershipListener = event -> onDevice(event.subject());
  private final DeviceListener deviceListener = this::onDevice;
  private final LinkListener linkListener = event -> onLinks();

  /** What the engine was told; changed on the loop only. */
  private final Map<DeviceId, Map<Integer, OnosPort>> portsTold = new ConcurrentHashMap<>();

  /**
   * When the session that a switch had when it was told began, by ONOS's clock: one that ended and
   * began anew between two looks would not be noticed otherwise, and may have lost its rules.
   */
  private final Map<DeviceId, Long> sessionOf = new HashMap<>();

  /** Since when switches that come have no port that is up. */
  private final Map<DeviceId, Long> withoutPortsSinceNanos = new HashMap<>();

  private final ReportedLinks cablesTold = new ReportedLinks();
  private final LinkAging missingCables = new LinkAging();
  private volatile TopologyListener listener;
  private boolean closed;

  /**
   * @param loop to look on
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
  public void setListener(TopologyListener newListener) {
    listener = newListener;
    listen();
    loop.execute(this::lookRegularly);
  }

  private void lookRegularly() {
    if (listen()) {
      loop.schedule(this::lookRegularly, LOOK_NANOS);
      lookAtAll(loop.nanoTime());
      // ONOS probes every 3 s.
      listener.probeRoundPassed(loop.nanoTime());
    }
  }

  /**
   * Sees to it that ONOS tells its events, whether it did or not.
   *
   * @return whether it does; it does not to what is closed
   */
  private synchronized boolean listen() {
    if (!closed) {
      devices.addListener(deviceListener);
      links.addListener(linkListener);
      masterships.addListener(mastershipListener);
    }
    return !closed;
  }

  @Override
  public synchronized void close() {
    closed = true;
    devices.removeListener(deviceListener);
    links.removeListener(linkListener);
    masterships.removeListener(mastershipListener);
  }

  /** The packet came from a port of a device to the controller. */
  public void packetIn(ConnectPoint from, byte[] frame) {
    if (portsTold.containsKey(from.deviceId())) {
      listener.packetIn(
          names.nameOf(from.deviceId()), (int) from.port().toLong(), frame, loop.nanoTime());
    }
  }

  private void onDevice(DeviceEvent event) {
    if (event.type() != DeviceEvent.Type.PORT_STATS_UPDATED) {
      onDevice(event.subject().id());
    }
  }

  private void onDevice(DeviceId device) {
    long atNanos = loop.nanoTime();
    loop.execute(
        () -> {
          look(device, atNanos);
          // A link that was seen before its switch was available counts from now on.
          lookAtLinks(atNanos);
        });
  }

  private void onLinks() {
    long atNanos = loop.nanoTime();
    loop.execute(() -> lookAtLinks(atNanos));
  }

  /** Compares everything with what the engine was told. */
  private void lookAtAll(long atNanos) {
    Set<DeviceId> all = new LinkedHashSet<>();
    devices.getDevices().forEach(device -> all.add(device.id()));
    all.addAll(portsTold.keySet());
    all.forEach(device -> look(device, atNanos));
    lookAtLinks(atNanos);
  }

  private void look(DeviceId device, long atNanos) {
    if (!SwitchNames.isSwitch(device)) {
      return;
    }
    String name = names.nameOf(device);
    long session = devices.getLastUpdatedInstant(device);
    if (portsTold.containsKey(device) && sessionOf.get(device) != session) {
      switchDown(device, atNanos);
    }
    if (!isConnected(device, atNanos)) {
      if (portsTold.containsKey(device)) {
        switchDown(device, atNanos);
      }
      return;
    }
    Map<Integer, OnosPort> told = portsTold.get(device);
    boolean isNew = told == null;
    if (isNew) {
      told = new HashMap<>();
      portsTold.put(device, told);
      sessionOf.put(device, session);
      listener.switchUp(name, atNanos);
    }
    tellPorts(name, told, portsNow(device), atNanos);
    if (isNew) {
      listener.portsComplete(name, atNanos);
    }
  }

  private void switchDown(DeviceId device, long atNanos) {
    portsTold.remove(device);
    sessionOf.remove(device);
    cablesTold.removeThoseOf(device);
    listener.switchDown(names.nameOf(device), atNanos);
  }

  /**
   * Whether some instance can reach the switch. An instance that was cut off from the others goes
   * on believing that switches are not available, long after it is back; but who is master of what
   * it learns at once.
   *
   * <p>ONOS (2.7.0) disables all ports of a switch that disconnects, while that still has a master,
   * and enables them only some time after it is back. These ports are not down: the switch goes on
   * forwarding. So a switch without a port that is up does not count as connected as long as it is
   * not available, nor at once when it comes.
   */
  private boolean isConnected(DeviceId device, long nowNanos) {
    if (devices.getDevice(device) == null) {
      return false;
    }
    boolean available = devices.isAvailable(device);
    if (portsNow(device).values().stream().anyMatch(port -> port.up)) {
      withoutPortsSinceNanos.remove(device);
      return available || masterships.getMasterFor(device) != null;
    }
    if (!available) {
      withoutPortsSinceNanos.remove(device);
      return false;
    }
    long sinceNanos = withoutPortsSinceNanos.computeIfAbsent(device, id -> nowNanos);
    return portsTold.containsKey(device) || nowNanos - sinceNanos >= LOOK_NANOS;
  }

  private void tellPorts(
      String name, Map<Integer, OnosPort> told, Map<Integer, OnosPort> now, long atNanos) {
    Set<Integer> numbers = new HashSet<>(told.keySet());
    numbers.addAll(now.keySet());
    for (int number : numbers) {
      OnosPort state = now.getOrDefault(number, OnosPort.GONE);
      if (!state.equals(told.put(number, state))) {
        listener.portChanged(name, number, state.up, state.speedBps, atNanos);
      }
    }
  }

  private Map<Integer, OnosPort> portsNow(DeviceId device) {
    Map<Integer, OnosPort> now = new HashMap<>();
    for (Port port : devices.getPorts(device)) {
      if (!port.number().isLogical()) {
        long speedBps = port.portSpeed() * BPS_PER_MBPS;
        now.put((int) port.number().toLong(), new OnosPort(port.isEnabled(), speedBps));
      }
    }
    return now;
  }

  /** The engine forgets the cables of a port that goes down, so they must be told anew. */
  private boolean isUp(ConnectPoint end) {
    Map<Integer, OnosPort> ports = portsTold.getOrDefault(end.deviceId(), Map.of());
    return ports.getOrDefault((int) end.port().toLong(), OnosPort.GONE).up;
  }

  private void lookAtLinks(long atNanos) {
    Set<DirectedLink> now = new HashSet<>();
    for (Link link : links.getActiveLinks()) {
      DirectedLink cable = new DirectedLink(link.src(), link.dst());
      if (isUp(cable.from) && isUp(cable.to)) {
        now.add(cable);
      }
    }
    Set<DirectedLink> gone = cablesTold.all();
    gone.removeAll(now);
    Set<DirectedLink> missing = new HashSet<>(gone);
    missing.removeIf(cable -> !isUp(cable.from) || !isUp(cable.to));
    gone.removeAll(missing);
    gone.addAll(missingCables.lost(missing, now, atNanos));
    gone.addAll(disproved(now));
    cablesTold.removeAll(gone);
    for (DirectedLink cable : gone) {
      listener.linkLost(
          names.nameOf(cable.from.deviceId()),
          (int) cable.from.port().toLong(),
          names.nameOf(cable.to.deviceId()),
          (int) cable.to.port().toLong(),
          atNanos);
    }
    List<DirectedLink> likelyFirst = new ArrayList<>(now);
    likelyFirst.sort(Comparator.comparing(cable -> !now.contains(cable.reverse())));
    for (DirectedLink cable : likelyFirst) {
      if (cablesTold.add(cable)) {
        listener.linkSeen(
            names.nameOf(cable.from.deviceId()),
            (int) cable.from.port().toLong(),
            names.nameOf(cable.to.deviceId()),
            (int) cable.to.port().toLong(),
            atNanos);
      }
    }
  }

  /** Cables found in one direction at most that share a port with one found in both. */
  private Set<DirectedLink> disproved(Set<DirectedLink> now) {
    Set<DirectedLink> disproved = new HashSet<>();
    for (DirectedLink cable : now) {
      if (now.contains(cable.reverse())) {
        disproved.addAll(cablesTold.contradicting(cable));
      }
    }
    disproved.removeIf(cable -> now.contains(cable.reverse()));
    return disproved;
  }
}
