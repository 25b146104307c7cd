package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.evenweave.engine.port.PortCounters;
import org.evenweave.openflow.PortCodec;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFPortConfig;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortState;
import org.projectfloodlight.openflow.protocol.OFPortStatsEntry;
import org.projectfloodlight.openflow.protocol.OFPortStatsReply;
import org.projectfloodlight.openflow.protocol.ver15.OFFactoryVer15;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.U64;

/** What switches say of their ports. */
class PortTableTest {
  private final PortTable ports = new PortTable();

  private static OFPortDesc port(OFPortConfig... config) {
    return OpenFlow13.FACTORY
        .buildPortDesc()
        .setPortNo(OFPort.of(3))
        .setConfig(Set.of(config))
        .setState(Set.of(OFPortState.LIVE))
        .build();
  }

  @Test
  void aPortThatMayNotForwardOrReceiveIsDownThoughItsLinkIsUp() {
    assertTrue(ports.update("s1-0", port()).up);
    for (OFPortConfig restriction :
        new OFPortConfig[] {OFPortConfig.NO_FWD, OFPortConfig.NO_RECV}) {
      PortDescription restricted = ports.update("s1-0", port(restriction));
      assertFalse(restricted.up);
      assertTrue(restricted.withheld);
      assertEquals(restriction.name(), restricted.settings.toString());
      assertTrue(ports.update("s1-0", port()).up);
    }
  }

  @Test
  void aPortWithoutPacketInsForTableMissesIsUp() {
    PortDescription port = ports.update("s1-0", port(OFPortConfig.NO_PACKET_IN));
    assertTrue(port.up);
    assertEquals("NO_PACKET_IN", port.settings.toString());
  }

  @Test
  void aPortThatIsDownByHandIsNotDownForWhatItMayNotDo() {
    PortDescription port = ports.update("s1-0", port(OFPortConfig.PORT_DOWN));
    assertFalse(port.up);
    assertFalse(port.withheld);
    assertEquals("is administratively down (OFPPC_PORT_DOWN)", port.settings.restrictions());
  }

  @Test
  void aPortThatIsGoneHasNoSettings() {
    ports.update("s1-0", port(OFPortConfig.NO_FWD));
    PortDescription gone = ports.remove(port(OFPortConfig.NO_FWD));
    assertFalse(gone.withheld);
    assertEquals("", gone.settings.toString());
  }

  /** In OpenFlow 1.5 the causes of errors are a property, which Open vSwitch may leave out. */
  @Test
  void countersOf15AreHeardAsThoseOf13() {
    OFPortStatsEntry entry =
        OFFactoryVer15.INSTANCE
            .buildPortStatsEntry()
            .setPortNo(OFPort.of(3))
            .setRxPackets(U64.of(11))
            .setTxPackets(U64.of(12))
            .setRxBytes(U64.of(13))
            .setTxBytes(U64.of(14))
            .setRxDropped(U64.of(15))
            .setTxDropped(U64.of(16))
            .setRxErrors(U64.of(17))
            .setTxErrors(U64.of(18))
            .setDurationSec(19)
            .setDurationNsec(20)
            .build();
    OFPortStatsReply reply =
        OFFactoryVer15.INSTANCE
            .buildPortStatsReply()
            .setEntries(
                List.of(
                    entry,
                    entry
                        .createBuilder()
                        .setRxErrors(U64.of(-1))
                        .setProperties(
                            List.of(
                                OFFactoryVer15.INSTANCE
                                    .buildPortStatsPropEthernet()
                                    .setRxCrcErr(U64.of(5))
                                    .setRxFrameErr(U64.of(6))
                                    .setRxOverErr(U64.of(7))
                                    .build()))
                        .build()))
            .build();
    OFPortStatsReply heard = (OFPortStatsReply) OpenFlow15Test.heard(reply);
    PortCounters plain = PortCodec.counters(heard.getEntries().get(0));
    assertEquals(11, plain.rxPackets());
    assertEquals(12, plain.txPackets());
    assertEquals(16, plain.txDropped());
    assertEquals(17, plain.rxErrors());
    assertEquals(18, plain.txErrors());
    assertEquals(19_000_000_020L, plain.ageNanos());
    assertEquals(18, PortCodec.counters(heard.getEntries().get(1)).rxErrors());
  }
}
