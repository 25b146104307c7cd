package org.evenweave.app.southbound;

import static org.evenweave.app.southbound.FakeOpenFlow.OF;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.evenweave.app.network.PortReports;
import org.evenweave.engine.nib.PortSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.onosproject.store.service.TestStorageService;
import org.projectfloodlight.openflow.protocol.OFPortConfig;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortReason;
import org.projectfloodlight.openflow.protocol.OFPortState;
import org.projectfloodlight.openflow.types.OFPort;

/** What a switch says of its ports in OpenFlow, as it reaches what is known of them. */
class PortLivenessTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");

  private final FakeOpenFlow.Connected controller = new FakeOpenFlow.Connected();
  private final OpenFlowChannel channel = new OpenFlowChannel(controller);
  private final PortReports dead = new PortReports(new TestStorageService());

  @BeforeEach
  void connect() {
    channel.reportPortsTo(dead);
    controller.say(
        DEVICE,
        OF.buildPortDescStatsReply()
            .setEntries(List.of(port(1, OFPortState.LIVE), port(2), port(-2, OFPortState.LIVE)))
            .build());
  }

  @Test
  void aPortThatLosesLivenessIsDeadAndOneThatNeverHadItIsNot() {
    changed(OFPortReason.MODIFY, port(1));
    changed(OFPortReason.MODIFY, port(2));
    changed(OFPortReason.MODIFY, port(-2));
    assertEquals(List.of(1), dead());
    changed(OFPortReason.MODIFY, port(1, OFPortState.LIVE));
    assertEquals(List.of(), dead());
  }

  @Test
  void aPortThatIsGoneIsNotDead() {
    changed(OFPortReason.MODIFY, port(1));
    changed(OFPortReason.DELETE, port(1));
    assertEquals(List.of(), dead());
    changed(OFPortReason.ADD, port(1));
    assertEquals(List.of(), dead());
  }

  @Test
  void whatAPortMayNotDoIsKnownUntilItMayAgain() {
    OFPortDesc port = port(1, OFPortState.LIVE);
    changed(
        OFPortReason.MODIFY,
        port.createBuilder()
            .setConfig(Set.of(OFPortConfig.NO_FWD, OFPortConfig.NO_PACKET_IN))
            .build());
    assertEquals("NO_FWD, NO_PACKET_IN", dead.settings(DEVICE, 1).toString());
    assertEquals(PortSettings.NONE, dead.settings(DEVICE, 2));
    changed(OFPortReason.MODIFY, port);
    assertEquals(PortSettings.NONE, dead.settings(DEVICE, 1));
    assertEquals(List.of(), dead());
  }

  private List<Integer> dead() {
    List<Integer> ports = new ArrayList<>();
    for (int port : new int[] {1, 2, -2}) {
      if (dead.isDead(DEVICE, port)) {
        ports.add(port);
      }
    }
    return ports;
  }

  private void changed(OFPortReason reason, OFPortDesc port) {
    controller.say(DEVICE, OF.buildPortStatus().setReason(reason).setDesc(port).build());
  }

  private static OFPortDesc port(int number, OFPortState... state) {
    return OF.buildPortDesc().setPortNo(OFPort.of(number)).setState(Set.of(state)).build();
  }
}
