package org.evenweave.openflow;

import org.evenweave.engine.nib.PortSettings;
import org.evenweave.engine.port.PortCounters;
import org.projectfloodlight.openflow.protocol.OFPortConfig;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortStatsEntry;

/** Decodes switches' descriptions of their ports: configuration and counters. */
public final class PortCodec {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long UNSUPPORTED_SECONDS = 0xffff_ffffL;

  private PortCodec() {}

  /** How a port is configured. */
  public static PortSettings settings(OFPortDesc port) {
    return PortSettings.of(
        bit(port, OFPortConfig.PORT_DOWN, PortSettings.PORT_DOWN)
            | bit(port, OFPortConfig.NO_RECV, PortSettings.NO_RECV)
            | bit(port, OFPortConfig.NO_FWD, PortSettings.NO_FWD)
            | bit(port, OFPortConfig.NO_PACKET_IN, PortSettings.NO_PACKET_IN));
  }

  private static int bit(OFPortDesc port, OFPortConfig setting, int bit) {
    return port.getConfig().contains(setting) ? bit : 0;
  }

  /** What a port has counted. Switches that count causes of errors may leave out their sum. */
  public static PortCounters counters(OFPortStatsEntry entry) {
    long causes =
        supported(entry.getRxCrcErr().getValue())
            + supported(entry.getRxFrameErr().getValue())
            + supported(entry.getRxOverErr().getValue());
    long rxErrors = entry.getRxErrors().getValue();
    boolean hasSum = rxErrors != PortCounters.UNSUPPORTED;
    return new PortCounters(
        entry.getRxPackets().getValue(),
        entry.getTxPackets().getValue(),
        hasSum || causes > 0 ? Math.max(supported(rxErrors), causes) : rxErrors,
        entry.getTxErrors().getValue(),
        entry.getTxDropped().getValue(),
        entry.getDurationSec() == UNSUPPORTED_SECONDS
            ? PortCounters.UNSUPPORTED
            : entry.getDurationSec() * SECOND_NANOS + entry.getDurationNsec());
  }

  private static long supported(long counter) {
    return counter == PortCounters.UNSUPPORTED ? 0 : counter;
  }
}
