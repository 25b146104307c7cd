package org.evenweave.sdd.session;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.evenweave.sdd.protocol.wire.CircuitStatsDecoder;

/** The circuit switch's counters since its session began, by input port. Immutable. */
public final class CircuitTotals {
  static final CircuitTotals NONE = new CircuitTotals(0, 0, 0, new TreeMap<>());

  private final long configurations;
  private final long lateConfigurations;
  private final long latestConfigurationNs;
  private final SortedMap<Integer, Port> byPort;

  private CircuitTotals(
      long configurations,
      long lateConfigurations,
      long latestConfigurationNs,
      SortedMap<Integer, Port> byPort) {
    this.configurations = configurations;
    this.lateConfigurations = lateConfigurations;
    this.latestConfigurationNs = latestConfigurationNs;
    this.byPort = byPort;
  }

  static CircuitTotals of(CircuitStatsDecoder message) {
    SortedMap<Integer, Port> ports = new TreeMap<>();
    for (CircuitStatsDecoder.PortsDecoder port : message.ports()) {
      ports.put(port.port(), new Port(port));
    }
    return new CircuitTotals(
        message.configurations(),
        message.lateConfigurations(),
        message.latestConfigurationNs(),
        ports);
  }

  /** One input port's. */
  public static final class Port {
    private final long circuitPackets;
    private final long circuitBytes;
    private final long packetPackets;
    private final long packetBytes;
    private final long droppedInNight;
    private final long droppedOutOfSlot;
    private final long droppedOther;

    private Port(CircuitStatsDecoder.PortsDecoder row) {
      circuitPackets = row.circuitPackets();
      circuitBytes = row.circuitBytes();
      packetPackets = row.packetPackets();
      packetBytes = row.packetBytes();
      droppedInNight = row.droppedInNight();
      droppedOutOfSlot = row.droppedOutOfSlot();
      droppedOther = row.droppedOther();
    }

    public long circuitPackets() {
      return circuitPackets;
    }

    public long circuitBytes() {
      return circuitBytes;
    }

    /** Through the packet switch. */
    public long packetPackets() {
      return packetPackets;
    }

    public long packetBytes() {
      return packetBytes;
    }

    public long droppedInNight() {
      return droppedInNight;
    }

    public long droppedOutOfSlot() {
      return droppedOutOfSlot;
    }

    /** For lack of room in the packet switch. */
    public long droppedOther() {
      return droppedOther;
    }
  }

  public long configurations() {
    return configurations;
  }

  public long lateConfigurations() {
    return lateConfigurations;
  }

  public long latestConfigurationNs() {
    return latestConfigurationNs;
  }

  public SortedMap<Integer, Port> byPort() {
    return Collections.unmodifiableSortedMap(byPort);
  }
}
