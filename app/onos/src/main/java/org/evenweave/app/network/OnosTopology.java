package org.evenweave.app.network;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.evenweave.engine.discovery.LinkDiscovery;
import org.evenweave.engine.links.LinkProbeFrame;
import org.evenweave.engine.nib.PortSettings;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.TopologyListener;
import org.evenweave.engine.port.TopologyPort;
import org.evenweave.engine.runtime.EngineLoop;
import org.onosproject.mastership.MastershipListener;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Port;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceService;
import org.onosproject.store.service.StorageException;

/**
 * The network as ONOS's device and mastership services have it, and the links that {@link
 * LinkDiscovery} finds. ONOS's own discovery removes a link only 10 s after its last probe, and
 * never if the instance that found it ends. It removes all links of a switch whose master changes,
 * and restores a lost link after one probe. {@link LinkDiscovery} is that of the embedded
 * controller.
 *
 * <p>An event only says what to compare: the engine is notified of the difference between what was
 * reported to it and the present state of the services. So events that are lost, late or out of
 * order (as between the instances of a cluster) do no harm.
 *
 * <p>All comparisons and the discovery run on the engine's loop: ONOS permanently removes a
 * listener that takes longer than 1.8 s over one event, as anything can on a busy machine. A
 * periodic comparison of everything covers a removed listener and lost events.
 */
public final class OnosTopology implements TopologyPort, AutoCloseable {
  private static final long BPS_PER_MBPS = 1_000_000L;

  /** Period of the comparison of everything. */
  static final long COMPARE_NANOS = 5_000_000_000L;

  private final DeviceService devices;
  private final MastershipService masterships;
  private final PortReports portReports;
  private final SwitchNames names;
  private final EngineLoop loop;
  private final MastershipListener mastershipListener = event -> onDevice(event.subject());
  private final DeviceListener deviceListener = this::onDevice;

  /** As reported to the engine; changed on the loop only. */
  private final Map<DeviceId, Map<Integer, OnosPort>> reportedPorts = new ConcurrentHashMap<>();

  /**
   * Start of each reported switch's session, by ONOS's clock: detects a switch that reconnected
   * between two comparisons, and may have lost its rules.
   */
  private final Map<DeviceId, Long> sessionOf = new HashMap<>();

  /** Since when available switches have had no port up. */
  private final Map<DeviceId, Long> withoutPortsSinceNanos = new HashMap<>();

  private final ProbeChannel channel;
  private final LongSupplier probePeriodNanos;

  /** Used on the loop only. */
  private LinkDiscovery discovery;

  private volatile TopologyListener listener;
  private boolean closed;

  /**
   * @param probePeriodNanos between the probes of a port; may change
   * @param loop runs the comparisons and the discovery of links
   */
  public OnosTopology(
      DeviceService devices,
      MastershipService masterships,
      PortReports portReports,
      SwitchNames names,
      ProbeChannel channel,
      LongSupplier probePeriodNanos,
      EngineLoop loop) {
    this.devices = devices;
    this.masterships = masterships;
    this.portReports = portReports;
    this.names = names;
    this.channel = channel;
    this.probePeriodNanos = probePeriodNanos;
    this.loop = loop;
  }

  @Override
  public void setListener(TopologyListener newListener) {
    listener = newListener;
    discovery = new LinkDiscovery(new Outlet(), newListener);
    listen();
    loop.execute(discovery::warmUp);
    loop.execute(this::compareRegularly);
    loop.schedule(this::probeRegularly, probePeriodNanos.getAsLong());
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
          }
        });
  }

  private void compareRegularly() {
    if (listen()) {
      loop.schedule(this::compareRegularly, COMPARE_NANOS);
      compareAll(loop.nanoTime());
    }
  }

  private void probeRegularly() {
    if (!isClosed()) {
      loop.schedule(this::probeRegularly, probePeriodNanos.getAsLong());
      long nowNanos = loop.nanoTime();
      listener.probeRoundPassed(discovery.nextRound(nowNanos), nowNanos);
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /**
   * Registers the listeners, whether or not ONOS has them still.
   *
   * @return false if this is closed
   */
  private synchronized boolean listen() {
    if (!closed) {
      devices.addListener(deviceListener);
      masterships.addListener(mastershipListener);
      portReports.setListener(this::onDevice);
    }
    return !closed;
  }

  @Override
  public synchronized void close() {
    closed = true;
    devices.removeListener(deviceListener);
    masterships.removeListener(mastershipListener);
    portReports.setListener(device -> {});
  }

  /** A packet-in from a port of a device. */
  public void packetIn(ConnectPoint from, byte[] frame) {
    long atNanos = loop.nanoTime();
    int port = (int) from.port().toLong();
    if (LinkProbeFrame.isLldp(frame)) {
      loop.execute(() -> probe(from.deviceId(), port, frame, atNanos));
    } else if (reportedPorts.containsKey(from.deviceId())) {
      listener.packetIn(names.nameOf(from.deviceId()), port, frame, atNanos);
    }
  }

  private void probe(DeviceId device, int port, byte[] frame, long atNanos) {
    if (reportedPorts.containsKey(device)) {
      String name = names.nameOf(device);
      if (!discovery.received(name, port, frame, atNanos)) {
        listener.packetIn(name, port, frame, atNanos);
      }
    }
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
    loop.execute(() -> compare(device, atNanos));
  }

  /** Compares everything with what was reported to the engine. */
  private void compareAll(long atNanos) {
    Set<DeviceId> all = new LinkedHashSet<>();
    devices.getDevices().forEach(device -> all.add(device.id()));
    all.addAll(reportedPorts.keySet());
    all.forEach(device -> compare(device, atNanos));
  }

  private void compare(DeviceId device, long atNanos) {
    if (!SwitchNames.isSwitch(device)) {
      return;
    }
    long session = devices.getLastUpdatedInstant(device);
    if (reportedPorts.containsKey(device) && sessionOf.get(device) != session) {
      switchDown(device, atNanos);
    }
    String name = reportedPorts.containsKey(device) ? names.nameOf(device) : names.rename(device);
    if (!isConnected(device, atNanos)) {
      if (reportedPorts.containsKey(device)) {
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
    reportPorts(name, reported, portsNow(device), atNanos);
    if (isNew) {
      listener.portsComplete(name, atNanos);
    }
  }

  private void switchDown(DeviceId device, long atNanos) {
    reportedPorts.remove(device);
    sessionOf.remove(device);
    discovery.switchDown(names.nameOf(device));
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
      String name, Map<Integer, OnosPort> reported, Map<Integer, OnosPort> now, long atNanos) {
    Set<Integer> numbers = new HashSet<>(reported.keySet());
    numbers.addAll(now.keySet());
    for (int number : numbers) {
      OnosPort state = now.getOrDefault(number, OnosPort.GONE);
      if (!state.equals(reported.put(number, state))) {
        if (!state.up) {
          discovery.portDown(name, number);
        }
        listener.portSettings(name, number, state.settings, state.withheld, atNanos);
        listener.portChanged(name, number, state.up, state.speedBps, atNanos);
        if (state.up) {
          discovery.portUp(name, number);
        }
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

  private final class Outlet implements LinkDiscovery.Outlet {
    @Override
    public void send(String switchId, Map<Integer, byte[]> frameByPort) {
      channel
          .sendProbes(switchId, frameByPort)
          .thenRun(() -> loop.execute(() -> discovery.probesSent(switchId)));
    }

    @Override
    public void count(String switchId) {
      channel
          .countPorts(switchId)
          .thenAccept(counters -> loop.execute(() -> discovery.counted(switchId, counters)));
    }
  }
}
