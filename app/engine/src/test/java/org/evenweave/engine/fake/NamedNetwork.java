package org.evenweave.engine.fake;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.PortCounters;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.port.TopologyListener;
import org.evenweave.engine.port.TopologyPort;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.realisation.SwitchTarget;

/**
 * A fake network as a runtime shows it: a switch has a datapath id, and while it is connected the
 * name that the configuration gave that id when it connected. What {@link FakeNetwork} calls a
 * switch never changes, so that it can tell whether packets still arrive after a renaming.
 */
public final class NamedNetwork implements TopologyPort, SouthboundPort {
  private static final long MOST_ABSENCE_NANOS = 3_000_000_000L;

  private final Fabric fabric;
  private final VirtualLoop loop;
  private final SplittableRandom random;
  private final boolean closesToRename;
  private final Map<String, String> nameOf = new HashMap<>();
  private final Map<String, String> switchOf = new HashMap<>();
  private LongFunction<String> configured;
  private FakeChannel channel;

  /** The switches and links themselves, by what they are called here. */
  public final FakeNetwork switches;

  /**
   * @param fabric switch number {@code s} gets the datapath id {@code s + 1}
   * @param closesToRename whether a switch that gets another name loses its connection, as with the
   *     embedded runtime; otherwise its session goes on, as in ONOS
   */
  public NamedNetwork(Fabric fabric, VirtualLoop loop, long seed, boolean closesToRename) {
    this.fabric = fabric;
    this.loop = loop;
    this.closesToRename = closesToRename;
    random = new SplittableRandom(seed ^ 3);
    switches =
        seed % 3 == 0 ? new FakeHardware(fabric, loop, seed) : new FakeNetwork(fabric, loop, seed);
  }

  /** From now on switches that connect get these names. */
  public void nameBy(LongFunction<String> switchIdOf) {
    configured = switchIdOf;
  }

  /** The channel of one controller process: what it sends after {@link #killController} is lost. */
  public SouthboundPort channel() {
    channel = new FakeChannel(this, own -> own == channel);
    return channel;
  }

  /** The controller crashes. */
  public void killController() {
    channel = null;
    switchOf.clear();
    switches.killController();
  }

  /** The datapath id of a switch. */
  public long datapath(String id) {
    return 1L + fabric.indexOf(id);
  }

  /** The switch connects by the name that its datapath id has then. */
  public void connect(String id) {
    if (!switches.isConnected(id)) {
      String name = configured.apply(datapath(id));
      nameOf.put(id, name);
      switchOf.put(name, id);
      switches.connect(id);
    }
  }

  /** The switch loses its connection, if it has one. */
  public void disconnect(String id) {
    if (switches.isConnected(id)) {
      switches.disconnect(id);
      switchOf.remove(nameOf.get(id));
    }
  }

  public boolean isConnected(String id) {
    return switches.isConnected(id);
  }

  /** The names of the switches that are connected. */
  public Set<String> connectedNames() {
    return Set.copyOf(switchOf.keySet());
  }

  @Override
  public void reconnect(String name) {
    String id = switchOf.get(name);
    if (id != null && closesToRename) {
      disconnect(id);
      loop.schedule(() -> connect(id), random.nextLong(MOST_ABSENCE_NANOS));
    } else if (id != null) {
      loop.schedule(
          () -> {
            disconnect(id);
            connect(id);
          },
          0);
    }
  }

  @Override
  public void setListener(TopologyListener listener) {
    switchOf.clear();
    switches.setListener(new Translation(listener));
  }

  /** What happens at the switches, by their names. */
  private final class Translation implements TopologyListener {
    private final TopologyListener to;

    Translation(TopologyListener to) {
      this.to = to;
    }

    @Override
    public void switchUp(String id, long atNanos) {
      to.switchUp(nameOf.get(id), atNanos);
    }

    @Override
    public void switchDown(String id, long atNanos) {
      to.switchDown(nameOf.get(id), atNanos);
    }

    @Override
    public void portChanged(String id, int port, boolean up, long speedBps, long atNanos) {
      to.portChanged(nameOf.get(id), port, up, speedBps, atNanos);
    }

    @Override
    public void portsComplete(String id, long atNanos) {
      to.portsComplete(nameOf.get(id), atNanos);
    }

    @Override
    public void probeRoundPassed(Set<String> ids, long atNanos) {
      Set<String> names = new HashSet<>(switchOf.keySet());
      names.removeIf(name -> !ids.contains(switchOf.get(name)));
      to.probeRoundPassed(names, atNanos);
    }

    @Override
    public void linkSeen(String from, int fromPort, String at, int port, long atNanos) {
      to.linkSeen(nameOf.get(from), fromPort, nameOf.get(at), port, atNanos);
    }

    @Override
    public void linkLost(String from, int fromPort, String at, int port, long atNanos) {
      to.linkLost(nameOf.get(from), fromPort, nameOf.get(at), port, atNanos);
    }

    @Override
    public void packetIn(String id, int port, byte[] frame, long atNanos) {
      if (switches.isConnected(id)) {
        to.packetIn(nameOf.get(id), port, frame, atNanos);
      }
    }
  }

  private <T> CompletableFuture<T> ask(String name, Supplier<CompletableFuture<T>> request) {
    return switchOf.containsKey(name)
        ? request.get()
        : CompletableFuture.failedFuture(new SouthboundException(name, "is not connected"));
  }

  @Override
  public CompletableFuture<Void> apply(String name, List<SwitchOperation> operations) {
    return ask(name, () -> switches.apply(switchOf.get(name), operations));
  }

  @Override
  public CompletableFuture<SwitchTables> read(String name) {
    return ask(name, () -> switches.read(switchOf.get(name)));
  }

  @Override
  public CompletableFuture<Map<Integer, PortCounters>> countPorts(String name) {
    return ask(name, () -> switches.countPorts(switchOf.get(name)));
  }

  @Override
  public Collection<FlowRule> standingRules() {
    return switches.standingRules();
  }

  @Override
  public SwitchTarget target(String name) {
    return switches.target(name);
  }

  @Override
  public void sendPacket(String name, int outPort, byte[] frame) {
    if (switchOf.containsKey(name)) {
      switches.sendPacket(switchOf.get(name), outPort, frame);
    }
  }
}
