package org.evenweave.engine.fake;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.port.TopologyListener;
import org.evenweave.engine.port.TopologyPort;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * A whole OpenFlow network in memory, in virtual time: switches with random latency, links that can
 * be cut, discovery, refusals. It watches every single change of every table: {@link #lossy} never
 * may grow by the controller's doing, and no rule may ever close a loop.
 */
public final class FakeNetwork implements TopologyPort, SouthboundPort {
  private static final long MILLI_NANOS = 1_000_000L;

  /** The edge port that every switch has besides its links. */
  public static final int HOST_PORT = 1000;

  private final Fabric fabric;
  private final VirtualLoop loop;
  private final SplittableRandom random;
  private final Map<String, FakeSwitch> switches = new TreeMap<>();
  private final Set<Integer> cutLinks = new HashSet<>();
  private final Map<String, Long> busyUntilNanos = new HashMap<>();
  private final List<String> sentPackets = new ArrayList<>();
  private TopologyListener listener;
  private Set<String> lossy;
  private long lastChangeNanos = -1;
  private int operations;
  private long readLookNanos;
  private long readAnswerNanos;

  public FakeNetwork(Fabric fabric, VirtualLoop loop, long seed) {
    this.fabric = fabric;
    this.loop = loop;
    this.random = new SplittableRandom(seed);
    fabric.switchIds().forEach(id -> switches.put(id, new FakeSwitch(id)));
    lossy = findLossy();
  }

  @Override
  public void setListener(TopologyListener listener) {
    this.listener = listener;
  }

  /**
   * The switch connects, and a little later its ports become known, so that its tables may be read
   * before or after; then probes find its links.
   */
  public void connect(String switchId) {
    switches.get(switchId).connected = true;
    listener.switchUp(switchId, loop.nanoTime());
    loop.schedule(() -> announcePorts(switchId), random.nextLong(20 * MILLI_NANOS));
  }

  private void announcePorts(String switchId) {
    if (!switches.get(switchId).connected) {
      return;
    }
    listener.portChanged(switchId, HOST_PORT, true, 0, loop.nanoTime());
    int s = fabric.indexOf(switchId);
    for (int i = 0; i < fabric.outDegree(s); i++) {
      int arc = fabric.outArc(s, i);
      boolean up = !cutLinks.contains(arc >> 1);
      listener.portChanged(switchId, fabric.port(arc), up, 0, loop.nanoTime());
      if (up) {
        probe(arc >> 1);
      }
    }
  }

  public void connectAll() {
    fabric.switchIds().forEach(this::connect);
  }

  /** The switch is lost to the controller; its tables stay. */
  public void disconnect(String switchId) {
    switches.get(switchId).connected = false;
    listener.switchDown(switchId, loop.nanoTime());
    lossy = findLossy();
  }

  /** Cuts a link: both its ports go down. */
  public void cut(int link) {
    cutLinks.add(link);
    lastChangeNanos = loop.nanoTime();
    lossy = findLossy();
    setPorts(link, false);
  }

  /** Heals a link: both its ports come up, and probes find it. */
  public void heal(int link) {
    cutLinks.remove(link);
    lastChangeNanos = loop.nanoTime();
    lossy = findLossy();
    setPorts(link, true);
    probe(link);
  }

  /** The switch refuses its next so many operations. */
  public void refuseNext(String switchId, int count) {
    switches.get(switchId).refusals = count;
  }

  /** The switch leaves its next so many requests to read its tables without a good answer. */
  public void failReads(String switchId, int count) {
    switches.get(switchId).failingReads = count;
  }

  /**
   * From now on a reading of a switch's tables is overtaken by changes that were asked for later.
   *
   * @param lookNanos how much later the switch looks what it holds
   * @param answerNanos how long its answer then takes
   */
  public void delayReads(long lookNanos, long answerNanos) {
    readLookNanos = lookNanos;
    readAnswerNanos = answerNanos;
  }

  /** Changes a switch's tables behind the controller's back. */
  public void tamper(String switchId, SwitchOperation operation) {
    switches.get(switchId).perform(operation);
    lossy = findLossy();
  }

  /** A packet from the edge to the controller. */
  public void packetIn(String switchId, int port, byte[] frame) {
    listener.packetIn(switchId, port, frame, loop.nanoTime());
  }

  public SwitchTables tables(String switchId) {
    return switches.get(switchId).tables;
  }

  /** How many table operations were carried out in all. */
  public int operations() {
    return operations;
  }

  /** Frames sent to hosts, as {@code switch/port}. */
  public List<String> sentPackets() {
    return sentPackets;
  }

  /**
   * Pairs {@code source>prefix} of which some packet, depending on its hash, is lost now: dropped
   * for want of a rule, or sent into a dead port. A group skips buckets whose watched port is dead.
   */
  public Set<String> lossy() {
    return lossy;
  }

  @Override
  public CompletableFuture<Void> apply(String switchId, List<SwitchOperation> list) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    long sentAtNanos = loop.nanoTime();
    inOrder(switchId, () -> performAll(switchId, list, sentAtNanos, done));
    return done;
  }

  /** As a real switch does: an operation that is refused does not keep the next from effect. */
  private void performAll(
      String switchId, List<SwitchOperation> list, long sentAtNanos, CompletableFuture<Void> done) {
    FakeSwitch target = switches.get(switchId);
    if (!target.connected) {
      done.completeExceptionally(new SouthboundException(switchId, "is not connected"));
      return;
    }
    SouthboundException refusal = null;
    for (SwitchOperation operation : list) {
      try {
        target.perform(operation);
      } catch (SouthboundException e) {
        refusal = refusal == null ? e : refusal;
      }
      operations++;
      noteLoss(sentAtNanos);
    }
    if (refusal == null) {
      done.complete(null);
    } else {
      done.completeExceptionally(refusal);
    }
  }

  @Override
  public CompletableFuture<SwitchTables> read(String switchId) {
    CompletableFuture<SwitchTables> done = new CompletableFuture<>();
    inOrder(
        switchId,
        () -> {
          if (switches.get(switchId).failingReads > 0) {
            switches.get(switchId).failingReads--;
            done.completeExceptionally(new SouthboundException(switchId, "no answer in time"));
          } else if (switches.get(switchId).connected) {
            loop.schedule(() -> look(switchId, done), readLookNanos);
          } else {
            done.completeExceptionally(new SouthboundException(switchId, "is not connected"));
          }
        });
    return done;
  }

  private void look(String switchId, CompletableFuture<SwitchTables> done) {
    SwitchTables now = switches.get(switchId).tables;
    loop.schedule(() -> done.complete(now), readAnswerNanos);
  }

  @Override
  public void sendPacket(String switchId, int outPort, byte[] frame) {
    sentPackets.add(switchId + "/" + outPort);
  }

  /** Requests to one switch take a random while each, and are never overtaken by later ones. */
  private void inOrder(String switchId, Runnable request) {
    long atNanos =
        Math.max(loop.nanoTime(), busyUntilNanos.getOrDefault(switchId, 0L))
            + random.nextLong(20 * MILLI_NANOS);
    busyUntilNanos.put(switchId, atNanos);
    loop.schedule(request, atNanos - loop.nanoTime());
  }

  private void setPorts(int link, boolean up) {
    for (int arc = 2 * link; arc <= 2 * link + 1; arc++) {
      String switchId = fabric.switchId(fabric.from(arc));
      if (switches.get(switchId).connected) {
        listener.portChanged(switchId, fabric.port(arc), up, 0, loop.nanoTime());
      }
    }
  }

  private void probe(int link) {
    for (int arc = 2 * link; arc <= 2 * link + 1; arc++) {
      String from = fabric.switchId(fabric.from(arc));
      String to = fabric.switchId(fabric.to(arc));
      if (switches.get(from).connected && switches.get(to).connected) {
        listener.linkSeen(from, fabric.port(arc), to, fabric.port(arc ^ 1), loop.nanoTime());
      }
    }
  }

  /** What was on its way when a link changed may collide with that; what was sent later may not. */
  private void noteLoss(long sentAtNanos) {
    Set<String> now = findLossy();
    Set<String> fresh = new TreeSet<>(now);
    fresh.removeAll(lossy);
    if (!fresh.isEmpty() && sentAtNanos > lastChangeNanos) {
      throw new AssertionError("the plan itself lost packets of " + fresh);
    }
    lossy = now;
  }

  private Set<String> findLossy() {
    Set<String> found = new TreeSet<>();
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      Boolean[] loses = new Boolean[fabric.switchCount()];
      for (int i = 0; i < fabric.subnetCount(); i++) {
        int source = fabric.subnetSwitch(i);
        if (loses(source, subnet, loses, new HashSet<>())) {
          found.add(fabric.switchId(source) + ">" + fabric.subnetPrefix(subnet));
        }
      }
    }
    return found;
  }

  private boolean loses(int s, int subnet, Boolean[] known, Set<Integer> onPath) {
    if (s == fabric.subnetSwitch(subnet)) {
      return false;
    }
    if (!onPath.add(s)) {
      throw new AssertionError(
          "loop towards " + fabric.subnetPrefix(subnet) + " at " + fabric.switchId(s));
    }
    if (known[s] == null) {
      known[s] = anyPathLoses(s, subnet, known, onPath);
    }
    onPath.remove(s);
    return known[s];
  }

  private boolean anyPathLoses(int s, int subnet, Boolean[] known, Set<Integer> onPath) {
    FakeSwitch here = switches.get(fabric.switchId(s));
    FlowRule rule = here.lookup(fabric.subnetPrefix(subnet).address() + 2);
    if (rule == null || rule.action() == FlowRule.Action.TO_CONTROLLER) {
      return true;
    }
    boolean anyLive = false;
    boolean anyDead = false;
    boolean loses = false;
    for (int port : here.outPorts(rule)) {
      int arc = arcAt(s, port);
      if (arc < 0 || cutLinks.contains(arc >> 1)) {
        anyDead = true;
      } else {
        anyLive = true;
        loses |= loses(fabric.to(arc), subnet, known, onPath);
      }
    }
    boolean skipsDead = rule.action() == FlowRule.Action.ROUTE_TO_GROUP && anyLive;
    return loses || (anyDead && !skipsDead);
  }

  private int arcAt(int s, int port) {
    for (int i = 0; i < fabric.outDegree(s); i++) {
      if (fabric.port(fabric.outArc(s, i)) == port) {
        return fabric.outArc(s, i);
      }
    }
    return -1;
  }
}
