package org.evenweave.bench.scale;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.foreign.ForeignTables;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchReading;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.port.TopologyListener;
import org.evenweave.engine.port.TopologyPort;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * A fabric without packets: switches that begin empty and confirm every change at once, so that
 * what is timed is the controller alone.
 */
final class MemoryNetwork implements TopologyPort, SouthboundPort {
  /** Every edge switch has its hosts at so many ports from here on. */
  private static final int FIRST_HOST_PORT = 100_000;

  private static final int HOST_PORTS = 64;

  private static final SwitchReading EMPTY =
      new SwitchReading(SwitchTables.EMPTY, ForeignTables.NONE);

  private static final int ARP_FRAME_BYTES = 42;
  private static final short ETHERTYPE_ARP = 0x0806;
  private static final short ETHERTYPE_IPV4 = 0x0800;

  private final Fabric fabric;
  private TopologyListener listener;
  private final Runnable onFirstChange;
  private final Map<String, SwitchReading> readings = new HashMap<>();
  private boolean changeExpected;
  private long operations;

  /**
   * @param onFirstChange called when the first change is sent after {@link #expectChanges}
   */
  MemoryNetwork(Fabric fabric, Runnable onFirstChange) {
    this.fabric = fabric;
    this.onFirstChange = onFirstChange;
  }

  /** The port of the host with this number under its switch. */
  static int hostPort(int number) {
    return FIRST_HOST_PORT + number % HOST_PORTS;
  }

  @Override
  public void setListener(TopologyListener newListener) {
    listener = newListener;
  }

  @Override
  public void reconnect(String switchId) {
    throw new UnsupportedOperationException("no switch is renamed here");
  }

  /** All switches connect, report their ports, and probes pass all links. */
  void connectAll() {
    for (int s = 0; s < fabric.switchCount(); s++) {
      String id = fabric.switchId(s);
      listener.switchUp(id, System.nanoTime());
      for (int i = 0; i < fabric.outDegree(s); i++) {
        listener.portChanged(id, fabric.port(fabric.outArc(s, i)), true, 0, System.nanoTime());
      }
      for (int number = 0; number < HOST_PORTS; number++) {
        listener.portChanged(id, hostPort(number), true, 0, System.nanoTime());
      }
      listener.portsComplete(id, System.nanoTime());
    }
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      probe(arc);
    }
  }

  private void probe(int arc) {
    listener.linkSeen(
        fabric.switchId(fabric.from(arc)),
        fabric.port(arc),
        fabric.switchId(fabric.to(arc)),
        fabric.port(arc ^ 1),
        System.nanoTime());
  }

  /** Links go down or come up: the ports at both their ends do, and probes pass. */
  void linksGo(boolean up, int... links) {
    for (int link : links) {
      for (int arc = 2 * link; arc <= 2 * link + 1; arc++) {
        listener.portChanged(
            fabric.switchId(fabric.from(arc)), fabric.port(arc), up, 0, System.nanoTime());
      }
      for (int arc = 2 * link; up && arc <= 2 * link + 1; arc++) {
        probe(arc);
      }
    }
  }

  /** A host under a switch asks for its gateway, which it has done never before. */
  void hostAsks(String switchId, int address, int gateway, long mac) {
    ByteBuffer frame = ByteBuffer.allocate(ARP_FRAME_BYTES);
    frame.putShort((short) -1).putInt(-1).put(macBytes(mac)).putShort(ETHERTYPE_ARP);
    frame.putShort((short) 1).putShort(ETHERTYPE_IPV4).put((byte) 6).put((byte) 4);
    frame.putShort((short) 1).put(macBytes(mac)).putInt(address).put(new byte[6]).putInt(gateway);
    int port = hostPort(address - gateway - 1);
    listener.packetIn(switchId, port, frame.array(), System.nanoTime());
  }

  private static byte[] macBytes(long mac) {
    return Arrays.copyOfRange(ByteBuffer.allocate(Long.BYTES).putLong(mac).array(), 2, Long.BYTES);
  }

  /** Somebody else changes the rules of a switch, which reports that. */
  void foreignRules(String switchId, SwitchTables own, List<ForeignRule> rules) {
    readings.put(switchId, new SwitchReading(own, new ForeignTables(rules, List.of(), 0)));
    listener.rulesChanged(switchId, System.nanoTime());
  }

  /** From now on the first change counts. */
  void expectChanges() {
    changeExpected = true;
    operations = 0;
  }

  /** How many changes of rules and groups were sent since. */
  long operations() {
    return operations;
  }

  @Override
  public CompletableFuture<Void> apply(String switchId, List<SwitchOperation> list) {
    if (changeExpected) {
      changeExpected = false;
      onFirstChange.run();
    }
    operations += list.size();
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletableFuture<SwitchTables> read(String switchId) {
    return CompletableFuture.completedFuture(SwitchTables.EMPTY);
  }

  @Override
  public CompletableFuture<SwitchReading> readAll(String switchId) {
    return CompletableFuture.completedFuture(readings.getOrDefault(switchId, EMPTY));
  }

  @Override
  public void sendPacket(String switchId, int outPort, byte[] frame) {
    // Nobody is there to receive it.
  }
}
