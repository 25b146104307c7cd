package org.evenweave.engine.fake;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.evenweave.engine.nib.PortSettings;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.PortCounters;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.port.TopologyListener;
import org.evenweave.engine.port.TopologyPort;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * A whole OpenFlow network in memory, in virtual time: switches with random latency, links that can
 * be cut, discovery, refusals. It watches every single change of every table: no operation of the
 * controller may add to {@link #lossy}, and no rule may ever close a loop.
 */
public class FakeNetwork implements TopologyPort, SouthboundPort {
  private static final long MILLI_NANOS = 1_000_000L;
  private static final long PROBE_PERIOD_NANOS = 1_000_000_000L;

  /** The edge port that every switch has besides its links. */
  public static final int HOST_PORT = 1000;

  private final Fabric fabric;
  private final VirtualLoop loop;
  private final SplittableRandom random;
  private final Map<String, FakeSwitch> switches = new TreeMap<>();
  private final Set<Integer> cutLinks = new HashSet<>();
  private final List<SwitchPort> sentPackets = new ArrayList<>();
  private final List<String> reconnects = new ArrayList<>();
  private final FakeProbes probes;
  private final Set<Integer> silentLinks = new HashSet<>();
  private final Set<String> standing = new HashSet<>();
  private final FakeForwarding forwarding;
  private final SplittableRandom probeDelays;
  private final LossWatch losses;
  private final FakeReads tableReads;
  private FakeChannel channel;
  private TopologyListener listener;

  /** Packets on links, and faults of links that are up. */
  public final FakeTraffic traffic;

  /** Receives every frame that is sent to a host, as {@code switch/port}. */
  public Consumer<SwitchPort> onSentPacket = end -> {};

  /** The same with the frame. */
  public BiConsumer<SwitchPort, byte[]> onSentFrame = (end, frame) -> {};

  private int operations;
  private int requests;
  private long mostLagNanos;
  private long laterNanos;
  private boolean hasStandingRule;
  private boolean reportsDeletions;
  private int reportedDeletions;
  private int reads;

  public FakeNetwork(Fabric fabric, VirtualLoop loop, long seed) {
    this.fabric = fabric;
    this.loop = loop;
    this.random = new SplittableRandom(seed);
    probes = new FakeProbes(fabric);
    tableReads = new FakeReads(loop);
    fabric.switchIds().forEach(id -> switches.put(id, new FakeSwitch(id)));
    forwarding =
        new FakeForwarding(fabric, switches, cutLinks, silentLinks, new SplittableRandom(~seed));
    traffic = new FakeTraffic(fabric, loop, seed ^ 1);
    probeDelays = new SplittableRandom(seed ^ 2);
    losses = new LossWatch(new LossyPairs(fabric, switches, cutLinks, silentLinks)::find, loop);
  }

  /** Something happens of which this network knows nothing else. */
  public void tell(Consumer<TopologyListener> event) {
    event.accept(listener);
  }

  /** Another controller begins to listen; no switch is connected to it yet. */
  @Override
  public void setListener(TopologyListener newListener) {
    switches.values().forEach(FakeSwitch::disconnect);
    probes.forget(arc -> true);
    listener = newListener;
    loop.schedule(() -> probeRegularly(newListener), PROBE_PERIOD_NANOS);
  }

  /**
   * Only notes it: the switches of this network have one name each, and stay connected under it.
   * Where a configuration renames switches that carry traffic, a test needs a {@link NamedNetwork}.
   */
  @Override
  public void reconnect(String switchId) {
    reconnects.add(switchId);
  }

  /** The switches that were to connect again, in order. */
  public List<String> reconnects() {
    return List.copyOf(reconnects);
  }

  private void probeRegularly(TopologyListener own) {
    if (listener == own) {
      Set<String> moving = new HashSet<>(fabric.switchIds());
      moving.removeAll(standing);
      probes.nextRound(this::passes, moving, listener, loop.nanoTime());
      loop.schedule(() -> probeRegularly(own), PROBE_PERIOD_NANOS);
    }
  }

  /** The channel of one controller process: what it sends after the next one began is lost. */
  public SouthboundPort channel() {
    channel = new FakeChannel(this, own -> own == channel);
    return channel;
  }

  /** The controller crashes. */
  public void killController() {
    channel = null;
    listener = null;
    switches.values().forEach(FakeSwitch::disconnect);
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
    if (!switches.get(switchId).connected || switches.get(switchId).portsAnnounced) {
      return;
    }
    switches.get(switchId).portsAnnounced = true;
    listener.portChanged(switchId, HOST_PORT, true, 0, loop.nanoTime());
    int s = fabric.indexOf(switchId);
    for (int i = 0; i < fabric.outDegree(s); i++) {
      int arc = fabric.outArc(s, i);
      boolean up = !cutLinks.contains(arc >> 1);
      listener.portChanged(switchId, fabric.port(arc), up, 0, loop.nanoTime());
    }
    listener.portsComplete(switchId, loop.nanoTime());
    for (int link : fabric.linksAt(s)) {
      probe(link);
    }
  }

  public void connectAll() {
    fabric.switchIds().forEach(this::connect);
  }

  /** The switch is lost to the controller; its tables stay. */
  public void disconnect(String switchId) {
    switches.get(switchId).disconnect();
    probes.forget(arc -> fabric.switchId(fabric.from(arc)).equals(switchId));
    listener.switchDown(switchId, loop.nanoTime());
    losses.tablesChanged();
  }

  /** Cuts a link: both its ports go down. */
  public void cut(int link) {
    cutLinks.add(link);
    probes.forget(arc -> arc >> 1 == link);
    losses.networkChanged();
    if (mostLagNanos > 0) {
      losses.excuseFor(PROBE_PERIOD_NANOS);
    }
    setPorts(link, false);
  }

  /** Heals a link: both its ports come up, and probes find it. */
  public void heal(int link) {
    cutLinks.remove(link);
    losses.networkChanged();
    setPorts(link, true);
    probe(link);
  }

  /**
   * Probes pass between two ports that no link of this network joins, both ways: a wrong
   * connection, or hosts that relay them.
   *
   * @param end {@code switch/port}
   */
  public void relayProbes(String end, String otherEnd) {
    FakeProbes.relay(end, otherEnd, listener, loop.nanoTime());
  }

  /** A link whose ports stay up loses everything, or does not any more. */
  public void silence(int link, boolean silent) {
    if (silent ? silentLinks.add(link) : silentLinks.remove(link)) {
      losses.networkChanged();
    }
  }

  /** A switch handles no probes, as one that gets no processor time, or does again. */
  public void standStill(String switchId, boolean still) {
    if (still) {
      standing.add(switchId);
    } else {
      standing.remove(switchId);
    }
  }

  /** A switch forgets its tables, as one does that starts anew. */
  public void clearTables(String switchId) {
    switches.get(switchId).tables = SwitchTables.EMPTY;
    losses.networkChanged();
  }

  public boolean isConnected(String switchId) {
    return switches.get(switchId).connected;
  }

  /** The switch refuses from now on what its tables do not hold. */
  public void limit(String switchId, Limits limits) {
    switches.get(switchId).limits = limits;
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
   * From now on a reading of a switch's tables is overtaken by later changes.
   *
   * @param lookNanos how much later the switch looks what it holds
   * @param answerNanos how long its answer then takes
   */
  public void delayReads(long lookNanos, long answerNanos) {
    tableReads.delay(lookNanos, answerNanos);
  }

  /**
   * From now on switches confirm changes up to so long before they decide by them. What is lost
   * because of that is the controller's fault, but within a second of a link's cut.
   */
  public void lag(long mostNanos) {
    mostLagNanos = mostNanos;
  }

  /** From now on switches answer requests for counters so much later. */
  public void answerLater(long nanos) {
    laterNanos = nanos;
  }

  /** From now on every switch needs the rule for LLDP. */
  public void needRuleForLldp() {
    hasStandingRule = true;
  }

  /** From now on switches report the rules that plans delete, as they do others. */
  public void reportDeletions() {
    reportsDeletions = true;
  }

  /** How many deletions by plans were reported. */
  public int reportedDeletions() {
    return reportedDeletions;
  }

  /** How many times a switch's tables were read since {@link #reportDeletions}. */
  public int reads() {
    return reads;
  }

  /** All rules of a switch are deleted behind the controller's back, which it may report. */
  public void deleteFlows(String switchId, boolean report) {
    for (FlowRule rule : List.copyOf(tables(switchId).flows().values())) {
      tamper(switchId, SwitchOperation.deleteFlow(rule));
      if (report) {
        listener.ruleRemoved(switchId, rule, loop.nanoTime());
      }
    }
  }

  /**
   * A group is deleted behind the controller's back, and as in a real switch the rules that use it
   * with it. What is lost because of that within a time is not the controller's fault.
   */
  public void loseGroup(String switchId, int groupId, long forgivenNanos) {
    FakeSwitch at = switches.get(switchId);
    for (FlowRule rule : List.copyOf(at.tables.flows().values())) {
      if (rule.action() == FlowRule.Action.ROUTE_TO_GROUP && rule.groupId() == groupId) {
        at.perform(SwitchOperation.deleteFlow(rule));
      }
    }
    at.perform(SwitchOperation.deleteGroup(at.tables.group(groupId)));
    losses.forgiveFor(forgivenNanos);
  }

  /** Changes a switch's tables behind the controller's back. */
  public void tamper(String switchId, SwitchOperation operation) {
    switches.get(switchId).perform(operation);
    losses.tablesChanged();
  }

  /** A port goes down that leads to hosts. */
  public void portDown(String switchId, int port) {
    listener.portChanged(switchId, port, false, 0, loop.nanoTime());
  }

  /** A port comes up: one more, or one that a cut link left down and that has another peer now. */
  public void portUp(String switchId, int port) {
    listener.portChanged(switchId, port, true, 0, loop.nanoTime());
  }

  /** A packet from the edge to the controller. */
  public void packetIn(String switchId, int port, byte[] frame) {
    listener.packetIn(switchId, port, frame, loop.nanoTime());
  }

  public SwitchTables tables(String switchId) {
    return switches.get(switchId).tables;
  }

  /** How many times switches were asked to change their tables. */
  public int requests() {
    return requests;
  }

  /** How many table operations were carried out in all. */
  public int operations() {
    return operations;
  }

  /** Frames sent to hosts, as {@code switch/port}. */
  public List<SwitchPort> sentPackets() {
    return sentPackets;
  }

  /**
   * Pairs {@code source>prefix} of which some packet, depending on its hash, is lost now: dropped
   * for want of a rule, or sent into a dead port. A group skips buckets whose watched port is dead.
   */
  public Set<String> lossy() {
    return losses.lossy();
  }

  @Override
  public CompletableFuture<Void> apply(String switchId, List<SwitchOperation> list) {
    requests++;
    CompletableFuture<Void> done = new CompletableFuture<>();
    long sentAtNanos = loop.nanoTime();
    inOrder(switchId, () -> performAll(switchId, list, sentAtNanos, done));
    return done;
  }

  private void performAll(
      String switchId, List<SwitchOperation> list, long sentAtNanos, CompletableFuture<Void> done) {
    FakeSwitch target = switches.get(switchId);
    if (!target.connected) {
      done.completeExceptionally(new SouthboundException(switchId, "is not connected"));
      return;
    }
    if (mostLagNanos > 0) {
      target.lag();
      loop.schedule(() -> catchUp(target, sentAtNanos), random.nextLong(mostLagNanos));
    }
    SouthboundException refusal =
        target.performAll(
            list,
            operation -> {
              operations++;
              if (reportsDeletions && operation.kind() == SwitchOperation.Kind.DELETE_FLOW) {
                reportedDeletions++;
                listener.ruleRemoved(switchId, operation.flow(), loop.nanoTime());
              }
              losses.operationPerformed(sentAtNanos);
            });
    if (refusal == null) {
      done.complete(null);
    } else {
      done.completeExceptionally(refusal);
    }
  }

  private void catchUp(FakeSwitch target, long sentAtNanos) {
    target.catchUp();
    losses.operationPerformed(sentAtNanos);
  }

  @Override
  public CompletableFuture<SwitchTables> read(String switchId) {
    CompletableFuture<SwitchTables> done = new CompletableFuture<>();
    reads += reportsDeletions ? 1 : 0;
    inOrder(switchId, () -> tableReads.read(switchId, switches.get(switchId), done));
    return done;
  }

  /** Somebody configures a port: its switch reports that, and the port as down or up. */
  public void configurePort(String switchId, int port, PortSettings settings) {
    int arc = forwarding.arcAt(fabric.indexOf(switchId), port);
    probes.forget(other -> settings.isRestricted() && other == arc);
    listener.portSettings(switchId, port, settings, settings.isRestricted(), loop.nanoTime());
    listener.portChanged(switchId, port, !settings.isRestricted(), 0, loop.nanoTime());
  }

  @Override
  public CompletableFuture<Map<Integer, PortCounters>> countPorts(String switchId) {
    CompletableFuture<Map<Integer, PortCounters>> done = new CompletableFuture<>();
    long readAfterNanos = probeDelays.nextLong(20 * MILLI_NANOS);
    long answerAfterNanos = probeDelays.nextLong(20 * MILLI_NANOS);
    loop.schedule(
        () -> {
          Map<Integer, PortCounters> counters = traffic.counters(switchId);
          loop.schedule(() -> done.complete(counters), answerAfterNanos + laterNanos);
        },
        readAfterNanos);
    return done;
  }

  @Override
  public Collection<FlowRule> standingRules() {
    return hasStandingRule ? List.of(FlowRule.lldpToController()) : List.of();
  }

  @Override
  public void sendPacket(String switchId, int outPort, byte[] frame) {
    if (!switches.get(switchId).connected) {
      return;
    }
    if (!forwarding.isLink(switchId, outPort)) {
      SwitchPort port = new SwitchPort(switchId, outPort);
      sentPackets.add(port);
      onSentPacket.accept(port);
      onSentFrame.accept(port, frame);
      return;
    }
    if (isLldp(frame)) {
      probe(forwarding.arcAt(fabric.indexOf(switchId), outPort), frame);
      return;
    }
    FakeForwarding.Arrival arrival = forwarding.follow(switchId, outPort, frame);
    TopologyListener to = listener;
    if (arrival != null) {
      loop.schedule(
          () -> to.packetIn(arrival.switchId, arrival.port, frame, loop.nanoTime()),
          random.nextLong(20 * MILLI_NANOS));
    }
  }

  private static boolean isLldp(byte[] frame) {
    return frame[12] == (byte) 0x88 && frame[13] == (byte) 0xcc;
  }

  private void probe(int arc, byte[] frame) {
    if (passes(arc) && !traffic.loses(arc, frame.length)) {
      TopologyListener to = listener;
      loop.schedule(
          () ->
              to.packetIn(
                  fabric.switchId(fabric.to(arc)), fabric.port(arc ^ 1), frame, loop.nanoTime()),
          traffic.delayNanos(arc) + probeDelays.nextLong(20 * MILLI_NANOS));
    }
  }

  /** Requests to one switch take a random while each, and are never overtaken by later ones. */
  private void inOrder(String switchId, Runnable request) {
    long delayNanos =
        switches.get(switchId).delayNanos(loop.nanoTime(), random.nextLong(20 * MILLI_NANOS));
    loop.schedule(request, delayNanos);
  }

  private void setPorts(int link, boolean up) {
    for (int arc = 2 * link; arc <= 2 * link + 1; arc++) {
      String switchId = fabric.switchId(fabric.from(arc));
      if (switches.get(switchId).portsAnnounced) {
        listener.portChanged(switchId, fabric.port(arc), up, 0, loop.nanoTime());
      }
    }
  }

  private void probe(int link) {
    for (int arc = 2 * link; arc <= 2 * link + 1; arc++) {
      if (passes(arc)) {
        probes.pass(arc, listener, loop.nanoTime());
      }
    }
  }

  private boolean passes(int arc) {
    return !cutLinks.contains(arc >> 1)
        && !silentLinks.contains(arc >> 1)
        && switches.get(fabric.switchId(fabric.from(arc))).portsAnnounced
        && switches.get(fabric.switchId(fabric.to(arc))).portsAnnounced;
  }
}
