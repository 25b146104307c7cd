package org.evenweave.app.network;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.nib.PortSettings;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.TopologyListener;
import org.junit.jupiter.api.Test;
import org.onosproject.cluster.NodeId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.store.service.TestStorageService;

class OnosTopologyTest {
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final FakeOnosNetwork.FakeDevices devices = new FakeOnosNetwork.FakeDevices();
  private final FakeOnosNetwork.FakeMasterships masterships = new FakeOnosNetwork.FakeMasterships();
  private final FakeOnosNetwork.Recorder reported = new FakeOnosNetwork.Recorder();
  private final VirtualLoop loop = new VirtualLoop();
  private final Map<Long, String> configured = new HashMap<>();
  private final SwitchNames names =
      new SwitchNames(datapath -> configured.getOrDefault(datapath, "s" + datapath));
  private final FakeOnosNetwork.FakeLinks links = new FakeOnosNetwork.FakeLinks(names);
  private final PortReports portReports = new PortReports(new TestStorageService());
  private final OnosTopology topology =
      new OnosTopology(devices, masterships, portReports, names, links, () -> SECOND_NANOS, loop);

  @Test
  void aPortThatStopsBeingLiveIsReportedAsDownUntilItIsAgain() {
    devices.put(1, true, Map.of(1, true, 2, true));
    start();
    takeReports();
    DeviceId device = DeviceId.deviceId("of:0000000000000001");
    portReports.reported(device, 1, false, PortSettings.NONE);
    assertEquals(List.of(), takeReports());
    portReports.reported(device, 1, true, PortSettings.NONE);
    portReports.reported(device, 1, false, PortSettings.NONE);
    assertEquals(List.of("port s1/1 down 10000000000"), takeReports());
    portReports.reported(device, 1, true, PortSettings.NONE);
    assertEquals(List.of("port s1/1 up 10000000000"), takeReports());
    portReports.reported(device, 1, false, PortSettings.NONE);
    portReports.gone(device, 1);
    portReports.reported(device, 1, false, PortSettings.NONE);
    assertEquals(List.of(), takeReports());
  }

  /** ONOS has such a port as enabled. */
  @Test
  void aPortThatMayNotForwardIsReportedAsDownWithItsSettings() {
    devices.put(1, true, Map.of(1, true));
    start();
    takeReports();
    DeviceId device = DeviceId.deviceId("of:0000000000000001");
    portReports.reported(device, 1, false, PortSettings.of(PortSettings.NO_FWD));
    assertEquals(List.of("settings s1/1 NO_FWD", "port s1/1 down 10000000000"), takeReports());
    portReports.reported(device, 1, false, PortSettings.of(PortSettings.NO_PACKET_IN));
    assertEquals(List.of("settings s1/1 NO_PACKET_IN", "port s1/1 up 10000000000"), takeReports());
  }

  @Test
  void theInitialStateIsReportedAtTheStart() {
    devices.put(1, true, Map.of(1, true, 2, false));
    devices.put(2, true, Map.of(1, true));
    links.add(1, 1, 2, 1);
    start();
    assertEquals(
        List.of(
            "up s1",
            "port s1/1 up 10000000000",
            "port s1/2 down 10000000000",
            "up s2",
            "port s2/1 up 10000000000",
            "link s1/1 s2/1"),
        takeReports());
  }

  @Test
  void aDeviceWithOtherRulesIsReported() {
    devices.put(1, true, Map.of(1, true));
    start();
    takeReports();
    topology.rulesChanged(FakeOnosNetwork.device(1));
    topology.rulesChanged(FakeOnosNetwork.device(9));
    assertEquals(List.of("rules changed s1"), takeReports());
  }

  /** So that a port that vanished between two comparisons is known to be gone. */
  @Test
  void theEndOfASwitchsPortsAndEachProbeRoundAreReported() {
    devices.put(1, true, Map.of(1, true));
    List<String> calls = new ArrayList<>();
    TopologyListener listener =
        (TopologyListener)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {TopologyListener.class},
                (proxy, method, arguments) -> {
                  calls.add(method.getName());
                  return null;
                });
    topology.setListener(listener);
    loop.runFor(2 * SECOND_NANOS);
    assertEquals(
        List.of(
            "switchUp",
            "portSettings",
            "portChanged",
            "portsComplete",
            "probeRoundPassed",
            "probeRoundPassed"),
        calls);
  }

  @Test
  void devicesOtherThanOpenflowSwitchesAreNotReported() {
    devices.put(DeviceId.deviceId("netconf:10.0.0.1"), true, Map.of(1, true));
    start();
    assertEquals(List.of(), takeReports());
  }

  @Test
  void anEventWithoutAChangeReportsNothing() {
    devices.put(1, true, Map.of(1, true));
    start();
    takeReports();
    devices.fire(1, DeviceEvent.Type.PORT_UPDATED);
    devices.fire(1, DeviceEvent.Type.PORT_STATS_UPDATED);
    assertEquals(List.of(), takeReports());
  }

  @Test
  void aPortDownIsReportedAndItsLinkAgainOncePortUp() {
    devices.put(1, true, Map.of(1, true));
    devices.put(2, true, Map.of(1, true));
    links.add(1, 1, 2, 1);
    start();
    takeReports();
    devices.put(1, true, Map.of(1, false));
    devices.fire(1, DeviceEvent.Type.PORT_UPDATED);
    assertEquals(List.of("port s1/1 down 10000000000"), takeReports());
    devices.put(1, true, Map.of(1, true));
    devices.fire(1, DeviceEvent.Type.PORT_UPDATED);
    assertEquals(List.of("port s1/1 up 10000000000", "link s1/1 s2/1"), takeReports());
  }

  @Test
  void aPortThatVanishesIsDown() {
    devices.put(1, true, Map.of(1, true));
    start();
    takeReports();
    devices.put(1, true, Map.of());
    devices.fire(1, DeviceEvent.Type.PORT_REMOVED);
    assertEquals(List.of("port s1/1 down 0"), takeReports());
  }

  @Test
  void aReconnectedSwitchIsReportedWithPortsAndLinks() {
    devices.put(1, true, Map.of(1, true));
    devices.put(2, true, Map.of(1, true));
    links.add(1, 1, 2, 1);
    start();
    takeReports();
    devices.put(1, false, Map.of(1, false));
    devices.fire(1, DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED);
    assertEquals(List.of("down s1"), takeReports());
    devices.put(1, true, Map.of(1, true));
    devices.fire(1, DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED);
    assertEquals(List.of("up s1", "port s1/1 up 10000000000", "link s1/1 s2/1"), takeReports());
  }

  /** It may have lost its rules, and must be read. */
  @Test
  void aReconnectBetweenTwoComparisonsIsReported() {
    devices.put(1, true, Map.of(1, true));
    devices.put(2, true, Map.of(1, true));
    links.add(1, 1, 2, 1);
    start();
    takeReports();
    devices.reconnect(1);
    devices.fire(1, DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED);
    assertEquals(
        List.of("down s1", "up s1", "port s1/1 up 10000000000", "link s1/1 s2/1"), takeReports());
    devices.fire(1, DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED);
    assertEquals(List.of(), takeReports());
  }

  @Test
  void aSwitchThatConnectsGetsTheNameThatIsConfiguredByThen() {
    devices.put(1, false, Map.of());
    start();
    configured.put(1L, "leaf");
    devices.put(1, true, Map.of(1, true));
    devices.fire(1, DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED);
    assertEquals(List.of("up leaf", "port leaf/1 up 10000000000"), takeReports());
    assertEquals(FakeOnosNetwork.device(1), names.device("leaf"));
  }

  @Test
  void aConnectedSwitchKeepsItsNameUntilItIsToReconnect() {
    devices.put(1, true, Map.of(1, true));
    devices.put(2, true, Map.of(1, true));
    links.add(1, 1, 2, 1);
    start();
    takeReports();
    configured.put(1L, "leaf");
    devices.put(1, true, Map.of(1, true, 2, true));
    devices.fire(1, DeviceEvent.Type.PORT_UPDATED);
    assertEquals(List.of("port s1/2 up 10000000000"), takeReports());
    topology.reconnect("s1");
    assertEquals(
        List.of(
            "down s1",
            "up leaf",
            "port leaf/1 up 10000000000",
            "port leaf/2 up 10000000000",
            "link leaf/1 s2/1"),
        takeReports());
    assertEquals(FakeOnosNetwork.device(1), names.device("leaf"));
    topology.reconnect("s1");
    assertEquals(List.of(), takeReports());
  }

  @Test
  void portsThatOnosDisablesAtADisconnectAreNotReportedDown() {
    devices.put(1, true, Map.of(1, true, 2, true));
    start();
    masterships.set(1, NodeId.nodeId("10.99.0.3"));
    takeReports();
    // It still has a master.
    devices.put(1, false, Map.of(1, false, 2, false));
    devices.fire(1, DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED);
    assertEquals(List.of("down s1"), takeReports());
    devices.put(1, true, Map.of(1, false, 2, false));
    devices.fire(1, DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED);
    assertEquals(List.of(), takeReports());
    devices.put(1, true, Map.of(1, true, 2, true));
    devices.fire(1, DeviceEvent.Type.PORT_UPDATED);
    assertEquals("up s1", takeReports().get(0));
  }

  @Test
  void aSwitchWithoutAPortUpIsReportedAfterADelay() {
    start();
    devices.put(1, true, Map.of(1, false));
    devices.fire(1, DeviceEvent.Type.DEVICE_ADDED);
    assertEquals(List.of(), takeReports());
    loop.runFor(2 * OnosTopology.COMPARE_NANOS);
    assertEquals(List.of("up s1", "port s1/1 down 10000000000"), takeReports());
  }

  @Test
  void aSwitchWithAMasterIsConnectedWhateverTheDeviceStoreHas() {
    devices.put(1, false, Map.of(1, true));
    start();
    assertEquals(List.of(), takeReports());
    masterships.set(1, NodeId.nodeId("10.99.0.3"));
    assertEquals(List.of("up s1", "port s1/1 up 10000000000"), takeReports());
    masterships.set(1, null);
    assertEquals(List.of("down s1"), takeReports());
  }

  @Test
  void anInstanceThatIsCutOffKeepsToWhatItHasReported() {
    devices.put(1, true, Map.of(1, true));
    devices.put(2, false, Map.of(1, true));
    start();
    masterships.set(1, NodeId.nodeId("10.99.0.3"));
    takeReports();
    masterships.storeResponds = false;
    devices.put(1, false, Map.of(1, true));
    loop.runFor(OnosTopology.COMPARE_NANOS);
    assertEquals(List.of(), takeReports());
    masterships.storeResponds = true;
    masterships.set(1, null);
    assertEquals(List.of("down s1"), takeReports());
  }

  @Test
  void aMastershipWithoutADeviceIsNoSwitch() {
    start();
    masterships.set(1, NodeId.nodeId("10.99.0.3"));
    assertEquals(List.of(), takeReports());
  }

  /** As ONOS does with a listener that was too slow once. */
  @Test
  void aRemovedListenerIsRegisteredAgain() {
    devices.put(1, true, Map.of(1, true));
    start();
    takeReports();
    devices.eject();
    devices.put(1, true, Map.of(1, false));
    loop.runFor(OnosTopology.COMPARE_NANOS);
    assertEquals(List.of("port s1/1 down 10000000000"), takeReports());
    devices.put(1, true, Map.of(1, true));
    devices.fire(1, DeviceEvent.Type.PORT_UPDATED);
    assertEquals(List.of("port s1/1 up 10000000000"), takeReports());
  }

  @Test
  void aDeviceRemovedWithoutAnEventIsFoundMissing() {
    devices.put(1, true, Map.of(1, true));
    start();
    takeReports();
    devices.remove(1);
    loop.runFor(OnosTopology.COMPARE_NANOS);
    assertEquals(List.of("down s1"), takeReports());
  }

  @Test
  void nothingIsReportedOnceClosed() {
    devices.put(1, true, Map.of(1, true));
    start();
    takeReports();
    topology.close();
    devices.put(1, true, Map.of(1, false));
    loop.runFor(2 * OnosTopology.COMPARE_NANOS);
    assertEquals(List.of(), takeReports());
  }

  @Test
  void packetsOfSwitchesThatAreNotAvailableAreDropped() {
    devices.put(1, true, Map.of(1, true));
    start();
    takeReports();
    topology.packetIn(ConnectPoint.deviceConnectPoint("of:0000000000000001/1"), new byte[3]);
    topology.packetIn(ConnectPoint.deviceConnectPoint("of:0000000000000009/1"), new byte[3]);
    assertEquals(List.of("packet s1/1 3"), takeReports());
  }

  @Test
  void rulesRemovedFromAvailableSwitchesAreReported() {
    devices.put(1, true, Map.of(1, true));
    start();
    takeReports();
    topology.ruleRemoved(FakeOnosNetwork.device(1), FlowRule.arpToController());
    topology.ruleRemoved(FakeOnosNetwork.device(9), FlowRule.arpToController());
    assertEquals(List.of("removed s1 arp"), takeReports());
  }

  private void start() {
    links.bring(topology);
    topology.setListener(reported);
  }

  private List<String> takeReports() {
    loop.runFor(0);
    return reported.take();
  }
}
