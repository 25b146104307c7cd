package org.evenweave.app.network;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.evenweave.engine.nib.PortSettings;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.PortCounters;
import org.evenweave.engine.port.TopologyListener;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipEvent;
import org.onosproject.mastership.MastershipInfo;
import org.onosproject.mastership.MastershipListener;
import org.onosproject.mastership.MastershipServiceAdapter;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.DefaultPort;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Port;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.onosproject.store.service.StorageException;

/** A network as ONOS has it, set by a test, and a recorder of what is reported of it. */
final class FakeOnosNetwork {
  private static final ProviderId PROVIDER = new ProviderId("of", "test");

  private FakeOnosNetwork() {}

  static DeviceId device(int number) {
    return DeviceId.deviceId(String.format(Locale.ROOT, "of:%016x", number));
  }

  static final class Recorder implements TopologyListener {
    private final List<String> lines = new ArrayList<>();

    /** The switches for which the last round of probes counts. */
    Set<String> lastRound = Set.of();

    List<String> take() {
      List<String> taken = new ArrayList<>(lines);
      lines.clear();
      return taken;
    }

    @Override
    public void switchUp(String switchId, long atNanos) {
      lines.add("up " + switchId);
    }

    @Override
    public void switchDown(String switchId, long atNanos) {
      lines.add("down " + switchId);
    }

    @Override
    public void portSettings(
        String switchId, int port, PortSettings settings, boolean withheld, long atNanos) {
      if (!settings.equals(PortSettings.NONE)) {
        lines.add("settings " + switchId + "/" + port + " " + settings);
      }
    }

    @Override
    public void portChanged(String switchId, int port, boolean up, long speedBps, long atNanos) {
      lines.add("port " + switchId + "/" + port + (up ? " up " : " down ") + speedBps);
    }

    @Override
    public void linkSeen(String from, int fromPort, String to, int toPort, long atNanos) {
      lines.add("link " + from + "/" + fromPort + " " + to + "/" + toPort);
    }

    @Override
    public void linkLost(String from, int fromPort, String to, int toPort, long atNanos) {
      lines.add("lost " + from + "/" + fromPort + " " + to + "/" + toPort);
    }

    @Override
    public void ruleRemoved(String switchId, FlowRule rule, long atNanos) {
      lines.add("removed " + switchId + " " + rule.key());
    }

    @Override
    public void rulesChanged(String switchId, long atNanos) {
      lines.add("rules changed " + switchId);
    }

    @Override
    public void probeRoundPassed(Set<String> switchIds, long atNanos) {
      lastRound = new TreeSet<>(switchIds);
    }

    @Override
    public void packetIn(String switchId, int inPort, byte[] frame, long atNanos) {
      lines.add("packet " + switchId + "/" + inPort + " " + frame.length);
    }
  }

  static final class FakeDevices extends DeviceServiceAdapter {
    private final Map<String, Device> devices = new TreeMap<>();
    private final Set<DeviceId> available = new HashSet<>();
    private final Map<DeviceId, List<Port>> ports = new HashMap<>();
    private final Map<DeviceId, Long> sessions = new HashMap<>();
    private DeviceListener listener;

    void put(int number, boolean isAvailable, Map<Integer, Boolean> upOfPort) {
      put(device(number), isAvailable, upOfPort);
    }

    void put(DeviceId id, boolean isAvailable, Map<Integer, Boolean> upOfPort) {
      Device device = new DefaultDevice(PROVIDER, id, Device.Type.SWITCH, "", "", "", "", null);
      devices.put(id.toString(), device);
      if (isAvailable) {
        available.add(id);
      } else {
        available.remove(id);
      }
      ports.put(
          id,
          upOfPort.entrySet().stream()
              .map(
                  port ->
                      new DefaultPort(
                          device,
                          PortNumber.portNumber(port.getKey()),
                          port.getValue(),
                          Port.Type.COPPER,
                          10_000))
              .collect(Collectors.toList()));
    }

    void remove(int number) {
      devices.remove(device(number).toString());
      available.remove(device(number));
    }

    /** The switch's session ends and begins anew at once. */
    void reconnect(int number) {
      sessions.merge(device(number), 1L, Long::sum);
    }

    @Override
    public long getLastUpdatedInstant(DeviceId id) {
      return sessions.getOrDefault(id, 0L);
    }

    void eject() {
      listener = null;
    }

    void fire(int number, DeviceEvent.Type type) {
      listener.event(new DeviceEvent(type, devices.get(device(number).toString())));
    }

    @Override
    public Iterable<Device> getDevices() {
      return devices.values();
    }

    @Override
    public Device getDevice(DeviceId id) {
      return devices.get(id.toString());
    }

    @Override
    public boolean isAvailable(DeviceId id) {
      return available.contains(id);
    }

    @Override
    public List<Port> getPorts(DeviceId id) {
      return ports.get(id);
    }

    @Override
    public void addListener(DeviceListener newListener) {
      listener = newListener;
    }
  }

  static final class FakeMasterships extends MastershipServiceAdapter {
    private final Map<DeviceId, NodeId> masters = new HashMap<>();
    private MastershipListener listener;

    /** Whether the cluster's store responds. */
    boolean storeResponds = true;

    void set(int number, NodeId master) {
      masters.put(device(number), master);
      listener.event(
          new MastershipEvent(
              MastershipEvent.Type.MASTER_CHANGED, device(number), new MastershipInfo()));
    }

    @Override
    public NodeId getMasterFor(DeviceId id) {
      if (!storeResponds) {
        throw new StorageException.Timeout();
      }
      return masters.get(id);
    }

    @Override
    public void addListener(MastershipListener newListener) {
      listener = newListener;
    }
  }

  /** Links that carry probes in one direction each, and the switches that send them. */
  static final class FakeLinks implements ProbeChannel {
    private final SwitchNames names;
    private final Map<ConnectPoint, ConnectPoint> peerOf = new HashMap<>();

    /** The switches that confirm nothing. */
    final Set<String> standing = new HashSet<>();

    /** What the ports of each switch have counted; a switch that is not there does not answer. */
    final Map<String, Map<Integer, PortCounters>> counters = new HashMap<>();

    private OnosTopology topology;

    FakeLinks(SwitchNames names) {
      this.names = names;
    }

    void bring(OnosTopology to) {
      topology = to;
    }

    void add(int from, int fromPort, int to, int toPort) {
      peerOf.put(end(from, fromPort), end(to, toPort));
    }

    void addBoth(int from, int fromPort, int to, int toPort) {
      add(from, fromPort, to, toPort);
      add(to, toPort, from, fromPort);
    }

    void silence(int from, int fromPort) {
      peerOf.remove(end(from, fromPort));
    }

    private static ConnectPoint end(int number, int port) {
      return new ConnectPoint(device(number), PortNumber.portNumber(port));
    }

    @Override
    public CompletableFuture<Void> sendProbes(String switchId, Map<Integer, byte[]> frameByPort) {
      if (standing.contains(switchId)) {
        return new CompletableFuture<>();
      }
      frameByPort.forEach(
          (port, frame) -> {
            ConnectPoint peer =
                peerOf.get(new ConnectPoint(names.device(switchId), PortNumber.portNumber(port)));
            if (peer != null) {
              topology.packetIn(peer, frame);
            }
          });
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Map<Integer, PortCounters>> countPorts(String switchId) {
      Map<Integer, PortCounters> counted = counters.get(switchId);
      return counted == null
          ? new CompletableFuture<>()
          : CompletableFuture.completedFuture(counted);
    }
  }
}
