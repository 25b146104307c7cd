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
import java.util.stream.Collectors;
import org.evenweave.engine.nib.PortSettings;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.TopologyListener;
import org.evenweave.engine.port.TopologyPort;
import org.evenweave.engine.runtime.EngineLoop;
import org.onosproject.mastership.MastershipListener;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.Port;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.link.LinkListener;
import org.onosproject.net.link.LinkService;
import org.onosproject.store.service.StorageException;

/**
 * The network as ONOS's device, link and mastership services have it.
 *
 * <p>An event only says what to compare: the engine is notified of the difference between what was
 * reported to it and the present state of the services. So events that are lost, late or out of
 * order (as between the instances of a cluster) do no harm.
 *
 * <p>All comparisons run on the engine's loop: ONOS removes a listener for good that takes longer
 * than 1.8 s over one event, as anything can on a busy machine. A periodic comparison of everything
 * covers a removed listener and lost events.
 *
 * <p>Two changes are damped: the loss of a link while the ports at both of its ends are up ({@link
 * ReportedLinks}), and a port's connection to another peer than before. Where ONOS (2.7.0) sends
 * two probes of a switch at a time, as when it becomes its master, it can put one's port into the
 * other, and find a link that it loses after 10 s. So of links that share a port, those found in
 * both directions take precedence, and of these the one reported before. Only links that probes
 * pass are reported ({@link ProbedLinks}).
 */
public final class OnosTopology implements TopologyPort, AutoCloseable {
  private static final long BPS_PER_MBPS = 1_000_000L;

  /** Period of the comparison of everything; ONOS's own discovery runs as often. */
  static final long COMPARE_NANOS = 5_000_000_000L;

  private final DeviceService devices;
  private final LinkService links;
  private final MastershipService masterships;
  private final PortReports portReports;
  private final SwitchNames names;
  private final EngineLoop loop;
  private final MastershipListener mastershipListener = event -> onDevice(event.subject());
  private final DeviceListener deviceListener = this::onDevice;
  private final LinkListener linkListener = event -> onLinks();

  /** As reported to the engine; changed on the loop only. */
  private final Map<DeviceId, Map<Integer, OnosPort>> reportedPorts = new ConcurrentHashMap<>();

  /**
   * Start of each reported switch's session, by ONOS's clock: detects a switch that reconnected
   * between two comparisons, and may have lost its rules.
   */
  private final Map<DeviceId, Long> sessionOf = new HashMap<>();

  /** Since when available switches have had no port up. */
  private final Map<DeviceId, Long> withoutPortsSinceNanos = new HashMap<>();

  private final ReportedLinks reportedLinks = new ReportedLinks();
  private final ProbedLinks probed;
  private volatile TopologyListener listener;
  private boolean closed;

  /**
   * @param loop runs the comparisons
   */
  public OnosTopology(
      DeviceService devices,
      LinkService links,
      MastershipService masterships,
      PortReports portReports,
      SwitchNames names,
      EngineLoop loop) {
    this.devices = devices;
    this.links = links;
    this.masterships = masterships;
    this.portReports = portReports;
    this.names = names;
    this.loop = loop;
    this.probed = new ProbedLinks(loop.nanoTime());
  }

  @Override
  public void setListener(TopologyListener newListener) {
    listener = newListener;
    listen();
    loop.execute(this::compareRegularly);
  }

  /**
   * Reports the switch as disconnected and as connected again under its new name. Its OpenFlow
   * session goes on: to ONOS the device is the same.
   */
  @Override
  public void reconnect(String switchId) {
    long atNanos = loop.nanoTime();
    loop.execute(
        () -> {
          DeviceId device = names.device(switchId);
          if (reportedPorts.containsKey(device) && names.nameOf(device).equals(switchId)) {
            switchDown(device, atNanos);
            compare(device, atNanos);
            compareLinks(atNanos);
          }
        });
  }

  private void compareRegularly() {
    if (listen()) {
      loop.schedule(this::compareRegularly, COMPARE_NANOS);
      long nowNanos = loop.nanoTime();
      compareAll(nowNanos);
      Set<String> switchIds =
          probed.roundPassed(reportedPorts.keySet(), reportedLinks.all(), nowNanos).stream()
              .map(names::nameOf)
              .collect(Collectors.toSet());
      listener.probeRoundPassed(switchIds, nowNanos);
    }
  }

  /**
   * Registers the listeners, whether or not ONOS has them still.
   *
   * @return false if this is closed
   */
  private synchronized boolean listen() {
    if (!closed) {
      devices.addListener(deviceListener);
      links.addListener(linkListener);
      masterships.addListener(mastershipListener);
      portReports.setListener(this::onDevice);
    }
    return !closed;
  }

  @Override
  public synchronized void close() {
    closed = true;
    devices.removeListener(deviceListener);
    links.removeListener(linkListener);
    masterships.removeListener(mastershipListener);
    portReports.setListener(device -> {});
  }

  /** A packet-in from a port of a device. */
  public void packetIn(ConnectPoint from, byte[] frame) {
    if (reportedPorts.containsKey(from.deviceId())) {
      listener.packetIn(
          names.nameOf(from.deviceId()), (int) from.port().toLong(), frame, loop.nanoTime());
    }
  }

  /** A probe of ONOS's has left a device by the first port, and come to another by the second. */
  public void probePassed(ConnectPoint from, ConnectPoint at) {
    long atNanos = loop.nanoTime();
    loop.execute(
        () -> {
          DirectedLink link = new DirectedLink(from, at);
          if (probed.passed(link, atNanos)) {
            compareLinks(atNanos);
          }
        });
  }

  /** A device has other rules than before. */
  public void rulesChanged(DeviceId device) {
    if (reportedPorts.containsKey(device)) {
      listener.rulesChanged(names.nameOf(device), loop.nanoTime());
    }
  }

  /** A device no longer has a rule. */
  public void ruleRemoved(DeviceId device, FlowRule rule) {
    if (reportedPorts.containsKey(device)) {
      listener.ruleRemoved(names.nameOf(device), rule, loop.nanoTime());
    }
  }

  /** Packets from a port of a device that no instance passed on, since there were too many. */
  public void packetsDropped(ConnectPoint from, long count) {
    if (reportedPorts.containsKey(from.deviceId())) {
      listener.packetsDropped(names.nameOf(from.deviceId()), (int) from.port().toLong(), count);
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
          compare(device, atNanos);
          // Links that were found before their switch was available are reported from now on.
          compareLinks(atNanos);
        });
  }

  private void onLinks() {
    long atNanos = loop.nanoTime();
    loop.execute(() -> compareLinks(atNanos));
  }

  /** Compares everything with what was reported to the engine. */
  private void compareAll(long atNanos) {
    Set<DeviceId> all = new LinkedHashSet<>();
    devices.getDevices().forEach(device -> all.add(device.id()));
    all.addAll(reportedPorts.keySet());
    all.forEach(device -> compare(device, atNanos));
    compareLinks(atNanos);
  }

  private void compare(DeviceId device, long atNanos) {
    if (!SwitchNames.isSwitch(device)) {
      return;
    }
    long session = devices.getLastUpdatedInstant(device);
    if (reportedPorts.containsKey(device) && sessionOf.get(device) != session) {
      probed.forget(device);
      switchDown(device, atNanos);
    }
    String name = reportedPorts.containsKey(device) ? names.nameOf(device) : names.rename(device);
    if (!isConnected(device, atNanos)) {
      if (reportedPorts.containsKey(device)) {
        probed.forget(device);
        switchDown(device, atNanos);
      }
      return;
    }
    Map<Integer, OnosPort> reported = reportedPorts.get(device);
    boolean isNew = reported == null;
    if (isNew) {
      reported = new HashMap<>();
      reportedPorts.put(device, reported);
      sessionOf.put(device, session);
      listener.switchUp(name, atNanos);
    }
    reportPorts(device, name, reported, portsNow(device), atNanos);
    if (isNew) {
      listener.portsComplete(name, atNanos);
    }
  }

  private void switchDown(DeviceId device, long atNanos) {
    reportedPorts.remove(device);
    sessionOf.remove(device);
    reportedLinks.removeAllOf(device);
    listener.switchDown(names.nameOf(device), atNanos);
  }

  /**
   * Whether some instance is connected to the switch. An instance that returns from a partition has
   * switches as unavailable for a long time; but masterships are current at once.
   *
   * <p>ONOS (2.7.0) disables all ports of a switch that disconnects, while it still has a master,
   * and enables them only some time after it reconnects. These ports are not down: the switch keeps
   * forwarding. So a switch without a port up does not count as connected while it is unavailable,
   * nor right after it becomes available.
   */
  private boolean isConnected(DeviceId device, long nowNanos) {
    if (devices.getDevice(device) == null) {
      return false;
    }
    boolean available = devices.isAvailable(device);
    if (portsNow(device).values().stream().anyMatch(port -> port.up)) {
      withoutPortsSinceNanos.remove(device);
      return available || hasMaster(device);
    }
    if (!available) {
      withoutPortsSinceNanos.remove(device);
      return false;
    }
    long sinceNanos = withoutPortsSinceNanos.computeIfAbsent(device, id -> nowNanos);
    return reportedPorts.containsKey(device) || nowNanos - sinceNanos >= COMPARE_NANOS;
  }

  /** An instance that is cut off cannot know, and keeps to what it has reported. */
  private boolean hasMaster(DeviceId device) {
    try {
      return masterships.getMasterFor(device) != null;
    } catch (StorageException e) {
      return reportedPorts.containsKey(device);
    }
  }

  private void reportPorts(
      DeviceId device,
      String name,
      Map<Integer, OnosPort> reported,
      Map<Integer, OnosPort> now,
      long atNanos) {
    Set<Integer> numbers = new HashSet<>(reported.keySet());
    numbers.addAll(now.keySet());
    for (int number : numbers) {
      OnosPort state = now.getOrDefault(number, OnosPort.GONE);
      if (!state.equals(reported.put(number, state))) {
        if (!state.up) {
          probed.forget(new ConnectPoint(device, PortNumber.portNumber(number)));
        }
        listener.portSettings(name, number, state.settings, state.withheld, atNanos);
        listener.portChanged(name, number, state.up, state.speedBps, atNanos);
      }
    }
  }

  private Map<Integer, OnosPort> portsNow(DeviceId device) {
    Map<Integer, OnosPort> now = new HashMap<>();
    for (Port port : devices.getPorts(device)) {
      if (!port.number().isLogical()) {
        int number = (int) port.number().toLong();
        PortSettings settings = portReports.settings(device, number);
        boolean alive = port.isEnabled() && !portReports.isDead(device, number);
        boolean restricted = settings.isRestricted();
        long speedBps = port.portSpeed() * BPS_PER_MBPS;
        now.put(
            number, new OnosPort(alive && !restricted, alive && restricted, settings, speedBps));
      }
    }
    return now;
  }

  /**
   * The engine removes the links of a port that goes down, so they are reported again afterwards.
   */
  private boolean isUp(ConnectPoint end) {
    Map<Integer, OnosPort> ports = reportedPorts.getOrDefault(end.deviceId(), Map.of());
    return ports.getOrDefault((int) end.port().toLong(), OnosPort.GONE).up;
  }

  private void compareLinks(long atNanos) {
    Set<DirectedLink> now = new HashSet<>();
    for (Link onosLink : links.getActiveLinks()) {
      DirectedLink link = new DirectedLink(onosLink.src(), onosLink.dst());
      if (isUp(link.from) && isUp(link.to) && probed.isBelieved(link, atNanos)) {
        now.add(link);
      }
    }
    Set<DirectedLink> gone = reportedLinks.all();
    gone.removeAll(now);
    Set<DirectedLink> missing = new HashSet<>(gone);
    missing.removeIf(link -> !isUp(link.from) || !isUp(link.to));
    gone.removeAll(missing);
    gone.addAll(reportedLinks.agedOut(missing, now, atNanos));
    gone.addAll(contradicted(now));
    reportedLinks.removeAll(gone);
    for (DirectedLink link : gone) {
      listener.linkLost(
          names.nameOf(link.from.deviceId()),
          (int) link.from.port().toLong(),
          names.nameOf(link.to.deviceId()),
          (int) link.to.port().toLong(),
          atNanos);
    }
    List<DirectedLink> bidirectionalFirst = new ArrayList<>(now);
    bidirectionalFirst.sort(Comparator.comparing(link -> !now.contains(link.reverse())));
    for (DirectedLink link : bidirectionalFirst) {
      if (reportedLinks.add(link)) {
        listener.linkSeen(
            names.nameOf(link.from.deviceId()),
            (int) link.from.port().toLong(),
            names.nameOf(link.to.deviceId()),
            (int) link.to.port().toLong(),
            atNanos);
      }
    }
  }

  /** Reported links found in one direction at most that share a port with one found in both. */
  private Set<DirectedLink> contradicted(Set<DirectedLink> now) {
    Set<DirectedLink> contradicted = new HashSet<>();
    for (DirectedLink link : now) {
      if (now.contains(link.reverse())) {
        contradicted.addAll(reportedLinks.contradicting(link));
      }
    }
    contradicted.removeIf(link -> now.contains(link.reverse()));
    return contradicted;
  }
}
