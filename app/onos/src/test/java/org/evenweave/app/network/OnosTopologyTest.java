package org.evenweave.app.network;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.port.TopologyListener;
import org.junit.jupiter.api.Test;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipEvent;
import org.onosproject.mastership.MastershipInfo;
import org.onosproject.mastership.MastershipListener;
import org.onosproject.mastership.MastershipServiceAdapter;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.DefaultPort;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.Port;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.link.LinkEvent;
import org.onosproject.net.link.LinkListener;
import org.onosproject.net.link.LinkServiceAdapter;
import org.onosproject.net.provider.ProviderId;

class OnosTopologyTest {
  private static final ProviderId PROVIDER = new ProviderId("of", "test");

  private final FakeDevices devices = new FakeDevices();
  private final FakeLinks links = new FakeLinks();
  private final FakeMasterships masterships = new FakeMasterships();
  private final Told told = new Told();
  private final VirtualLoop loop = new VirtualLoop();
  private final OnosTopology topology =
      new OnosTopology(
          devices, links, masterships, new SwitchNames(datapath -> "s" + datapath), loop);

  @Test
  void whatIsThereAlreadyIsToldAtTheStart() {
    devices.put(1, true, Map.of(1, true, 2, false));
    devices.put(2, true, Map.of(1, true));
    links.add(1, 1, 2, 1);
    topology.setListener(told);
    assertEquals(
        List.of(
            "up s1",
            "port s1/1 up 10000000000",
            "port s1/2 down 10000000000",
            "up s2",
            "port s2/1 up 10000000000",
            "link s1/1 s2/1"),
        whatIsTold());
  }

  @Test
  void devicesThatAreNotOpenflowSwitchesAreNotTold() {
    devices.put(DeviceId.deviceId("netconf:10.0.0.1"), true, Map.of(1, true));
    topology.setListener(told);
    assertEquals(List.of(), whatIsTold());
  }

  @Test
  void anEventThatChangesNothingTellsNothing() {
    devices.put(1, true, Map.of(1, true));
    topology.setListener(told);
    whatIsTold();
    devices.fire(1, DeviceEvent.Type.PORT_UPDATED);
    devices.fire(1, DeviceEvent.Type.PORT_STATS_UPDATED);
    assertEquals(List.of(), whatIsTold());
  }

  @Test
  void aPortThatGoesDownIsToldAndItsCableAnewWhenItIsBack() {
    devices.put(1, true, Map.of(1, true));
    devices.put(2, true, Map.of(1, true));
    links.add(1, 1, 2, 1);
    topology.setListener(told);
    whatIsTold();
    devices.put(1, true, Map.of(1, false));
    devices.fire(1, DeviceEvent.Type.PORT_UPDATED);
    assertEquals(List.of("port s1/1 down 10000000000", "lost s1/1 s2/1"), whatIsTold());
    devices.put(1, true, Map.of(1, true));
    devices.fire(1, DeviceEvent.Type.PORT_UPDATED);
    assertEquals(List.of("port s1/1 up 10000000000", "link s1/1 s2/1"), whatIsTold());
  }

  @Test
  void aPortThatVanishesIsDown() {
    devices.put(1, true, Map.of(1, true));
    topology.setListener(told);
    whatIsTold();
    devices.put(1, true, Map.of());
    devices.fire(1, DeviceEvent.Type.PORT_REMOVED);
    assertEquals(List.of("port s1/1 down 0"), whatIsTold());
  }

  @Test
  void aSwitchThatComesBackIsToldWithAllItHas() {
    devices.put(1, true, Map.of(1, true));
    devices.put(2, true, Map.of(1, true));
    links.add(1, 1, 2, 1);
    topology.setListener(told);
    whatIsTold();
    devices.put(1, false, Map.of(1, false));
    devices.fire(1, DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED);
    assertEquals(List.of("down s1"), whatIsTold());
    devices.put(1, true, Map.of(1, true));
    devices.fire(1, DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED);
    assertEquals(List.of("up s1", "port s1/1 up 10000000000", "link s1/1 s2/1"), whatIsTold());
  }

  @Test
  void aSwitchThatHasAMasterIsThereWhateverTheDeviceStoreBelieves() {
    devices.put(1, false, Map.of(1, true));
    topology.setListener(told);
    assertEquals(List.of(), whatIsTold());
    masterships.set(1, NodeId.nodeId("10.99.0.3"));
    assertEquals(List.of("up s1", "port s1/1 up 10000000000"), whatIsTold());
    masterships.set(1, null);
    assertEquals(List.of("down s1"), whatIsTold());
  }

  @Test
  void aMasterOfWhatIsNoDeviceIsNoSwitch() {
    topology.setListener(told);
    masterships.set(1, NodeId.nodeId("10.99.0.3"));
    assertEquals(List.of(), whatIsTold());
  }

  @Test
  void aLinkIsToldWhenItComesAndWhenItGoes() {
    devices.put(1, true, Map.of(1, true));
    devices.put(2, true, Map.of(1, true));
    topology.setListener(told);
    whatIsTold();
    Link link = links.add(1, 1, 2, 1);
    links.fire(link, LinkEvent.Type.LINK_ADDED);
    assertEquals(List.of("link s1/1 s2/1"), whatIsTold());
    links.remove(link);
    links.fire(link, LinkEvent.Type.LINK_REMOVED);
    loop.runFor(MissingCables.ALONE_NANOS);
    assertEquals(List.of("lost s1/1 s2/1"), whatIsTold());
    links.add(1, 1, 2, 1);
    links.fire(link, LinkEvent.Type.LINK_ADDED);
    assertEquals(List.of("link s1/1 s2/1"), whatIsTold());
  }

  /** As an instance says that was cut off from the others, and has heard no probes. */
  @Test
  void aLinkThatAProbeFindsAgainWasNotLost() {
    devices.put(1, true, Map.of(1, true));
    devices.put(2, true, Map.of(1, true));
    Link link = links.add(1, 1, 2, 1);
    topology.setListener(told);
    whatIsTold();
    for (int i = 0; i < 3; i++) {
      links.remove(link);
      links.fire(link, LinkEvent.Type.LINK_REMOVED);
      loop.runFor(MissingCables.ALONE_NANOS - 1);
      links.add(1, 1, 2, 1);
      links.fire(link, LinkEvent.Type.LINK_ADDED);
      assertEquals(List.of(), whatIsTold());
    }
    loop.runFor(2 * MissingCables.ALONE_NANOS);
    assertEquals(List.of(), whatIsTold());
  }

  @Test
  void aLinkIsLostAtOnceWhenAPortIsDownThoughOnosMissedTheLinkBefore() {
    devices.put(1, true, Map.of(1, true));
    devices.put(2, true, Map.of(1, true));
    Link link = links.add(1, 1, 2, 1);
    topology.setListener(told);
    whatIsTold();
    links.remove(link);
    links.fire(link, LinkEvent.Type.LINK_REMOVED);
    assertEquals(List.of(), whatIsTold());
    devices.put(2, true, Map.of(1, false));
    devices.fire(2, DeviceEvent.Type.PORT_UPDATED);
    assertEquals(List.of("port s2/1 down 10000000000", "lost s1/1 s2/1"), whatIsTold());
    loop.runFor(2 * MissingCables.ALONE_NANOS);
    assertEquals(List.of(), whatIsTold());
  }

  /** As ONOS does with a listener that was too slow once. */
  @Test
  void aListenerThatWasEjectedIsMadeGoodFor() {
    devices.put(1, true, Map.of(1, true));
    topology.setListener(told);
    whatIsTold();
    devices.eject();
    devices.put(1, true, Map.of(1, false));
    loop.runFor(OnosTopology.LOOK_NANOS);
    assertEquals(List.of("port s1/1 down 10000000000"), whatIsTold());
    devices.put(1, true, Map.of(1, true));
    devices.fire(1, DeviceEvent.Type.PORT_UPDATED);
    assertEquals(List.of("port s1/1 up 10000000000"), whatIsTold());
  }

  @Test
  void aDeviceWhoseRemovalWasNotToldIsFoundMissing() {
    devices.put(1, true, Map.of(1, true));
    topology.setListener(told);
    whatIsTold();
    devices.remove(1);
    loop.runFor(OnosTopology.LOOK_NANOS);
    assertEquals(List.of("down s1"), whatIsTold());
  }

  @Test
  void nothingIsToldOnceItIsClosed() {
    devices.put(1, true, Map.of(1, true));
    topology.setListener(told);
    whatIsTold();
    topology.close();
    devices.put(1, true, Map.of(1, false));
    loop.runFor(2 * OnosTopology.LOOK_NANOS);
    assertEquals(List.of(), whatIsTold());
  }

  @Test
  void packetsOfSwitchesThatAreNotAvailableAreDropped() {
    devices.put(1, true, Map.of(1, true));
    topology.setListener(told);
    whatIsTold();
    topology.packetIn(ConnectPoint.deviceConnectPoint("of:0000000000000001/1"), new byte[3]);
    topology.packetIn(ConnectPoint.deviceConnectPoint("of:0000000000000009/1"), new byte[3]);
    assertEquals(List.of("packet s1/1 3"), whatIsTold());
  }

  private List<String> whatIsTold() {
    loop.runFor(0);
    return told.take();
  }

  private static DeviceId device(int number) {
    return DeviceId.deviceId(String.format("of:%016x", number));
  }

  private static final class Told implements TopologyListener {
    private final List<String> lines = new ArrayList<>();

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
    public void packetIn(String switchId, int inPort, byte[] frame, long atNanos) {
      lines.add("packet " + switchId + "/" + inPort + " " + frame.length);
    }
  }

  private static final class FakeDevices extends DeviceServiceAdapter {
    private final Map<String, Device> devices = new TreeMap<>();
    private final Set<DeviceId> available = new HashSet<>();
    private final Map<DeviceId, List<Port>> ports = new HashMap<>();
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

  private static final class FakeMasterships extends MastershipServiceAdapter {
    private final Map<DeviceId, NodeId> masters = new HashMap<>();
    private MastershipListener listener;

    void set(int number, NodeId master) {
      masters.put(device(number), master);
      listener.event(
          new MastershipEvent(
              MastershipEvent.Type.MASTER_CHANGED, device(number), new MastershipInfo()));
    }

    @Override
    public NodeId getMasterFor(DeviceId id) {
      return masters.get(id);
    }

    @Override
    public void addListener(MastershipListener newListener) {
      listener = newListener;
    }
  }

  private static final class FakeLinks extends LinkServiceAdapter {
    private final Set<Link> active = new HashSet<>();
    private LinkListener listener;

    Link add(int from, int fromPort, int to, int toPort) {
      Link link =
          DefaultLink.builder()
              .providerId(PROVIDER)
              .type(Link.Type.DIRECT)
              .src(new ConnectPoint(device(from), PortNumber.portNumber(fromPort)))
              .dst(new ConnectPoint(device(to), PortNumber.portNumber(toPort)))
              .build();
      active.add(link);
      return link;
    }

    void remove(Link link) {
      active.remove(link);
    }

    void fire(Link link, LinkEvent.Type type) {
      listener.event(new LinkEvent(type, link));
    }

    @Override
    public Iterable<Link> getActiveLinks() {
      return active;
    }

    @Override
    public void addListener(LinkListener newListener) {
      listener = newListener;
    }
  }
}
