package org.evenweave.engine.liveness;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.forwarding.ForwardingManager;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.runtime.Changes;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.wcmp.fabric.Fabric;
import org.onlab.packet.IPv4;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells switches that have only lost the controller from switches that have died or lost their
 * rules, while the ports of their neighbours stay up: sends packets through each switch that is
 * held, by its own rules, to switches that are connected and send them back ({@link
 * ForwardingProbe}). A switch whose tables are not known is not probed: nobody can say then where
 * it should forward to.
 *
 * <p>A switch counts as silent when for {@link #ROUNDS_TO_SILENCE} rounds in a row no packet has
 * come through it, neither a probe nor one of a host, although probes entered by two of its ports
 * at least. Only such rounds count in which a probe to each of the same destinations arrived that
 * went past the switch: while the controller or a destination is stalled, no switch is declared
 * silent. Two ports, because the only next hop of a switch may be the port that the probe came in
 * by.
 *
 * <p>At least {@link #LEAST_LOST} probes must be lost. With half of them by each of two ports, to
 * which parts x and y of the slots lead back, x + y being at most 1, the chance that a working
 * switch loses all is (xy)^32, at most 2^-64.
 *
 * <p>Belongs to the engine's loop. A round costs {@link #PROBES} packets for each held switch.
 */
public final class ForwardingCheck {
  static final long ROUND_NANOS = 1_000_000_000L;

  /** Also the seconds, at least, until a switch is found to be silent. */
  static final int ROUNDS_TO_SILENCE = 5;

  /** Probes through one switch in a round. */
  static final int PROBES = 16;

  private static final int LEAST_PORTS = 2;

  /** Probes lost in a row before a switch is declared silent. */
  private static final int LEAST_LOST = 64;

  /** Ways through a switch that are looked at in a round; not all can be passed. */
  private static final int MOST_LOOKED_AT = 8 * PROBES;

  private static final Logger LOG = LoggerFactory.getLogger(ForwardingCheck.class);

  private final Nib nib;
  private final ForwardingManager forwarding;
  private final SouthboundPort southbound;
  private final EngineLoop loop;
  private final EventLog events;
  private final Changes changes;
  private final long nonce;

  /** By id, the switches that are probed. */
  private final Map<String, Probed> switches = new TreeMap<>();

  /** Destinations that were reached in this round past the switches that are probed. */
  private final Set<String> reached = new HashSet<>();

  private int flows;
  private boolean closed;

  /** A switch that is probed, and what is known of it. */
  private static final class Probed {
    final Set<Integer> ports = new HashSet<>();
    final Set<String> destinations = new HashSet<>();
    int turn;
    int sentInRound;
    int lostRounds;
    int lost;
    boolean forwarded;

    /** Returns whether the switch is silent. */
    boolean roundPassed(Set<String> reached) {
      if (forwarded) {
        lostRounds = 0;
        lost = 0;
        ports.clear();
      } else if (!destinations.isEmpty() && reached.containsAll(destinations)) {
        lostRounds++;
        lost += sentInRound;
      }
      forwarded = false;
      sentInRound = 0;
      destinations.clear();
      return lostRounds >= ROUNDS_TO_SILENCE && lost >= LEAST_LOST && ports.size() >= LEAST_PORTS;
    }
  }

  /**
   * @param changes gets that a switch was found to be silent
   * @param nonce known to nobody else
   */
  public ForwardingCheck(
      Nib nib,
      ForwardingManager forwarding,
      SouthboundPort southbound,
      EngineLoop loop,
      EventLog events,
      Changes changes,
      long nonce) {
    this.nib = nib;
    this.forwarding = forwarding;
    this.southbound = southbound;
    this.loop = loop;
    this.events = events;
    this.changes = changes;
    this.nonce = nonce;
  }

  /** Begins to probe. */
  public void start() {
    loop.schedule(this::round, ROUND_NANOS);
  }

  public void close() {
    closed = true;
  }

  /** What a switch lost before it connected says nothing of it: it is read and programmed now. */
  public void connected(String switchId) {
    switches.remove(switchId);
  }

  /**
   * A switch sent an IPv4 packet to the controller.
   *
   * @return whether it is a probe, and nobody else's business
   */
  public boolean received(String switchId, int inPort, IPv4 packet) {
    // Whatever it is, the switch at the other end of the link has forwarded it.
    noteForwardedBy(nib.neighbourAt(switchId, inPort));
    String passed = ForwardingProbe.switchPassed(nonce, packet);
    if (passed == null) {
      return false;
    }
    if (passed.isEmpty()) {
      reached.add(switchId);
    }
    noteForwardedBy(passed);
    return true;
  }

  private void noteForwardedBy(String switchId) {
    Probed probed = switchId == null ? null : switches.get(switchId);
    if (probed != null) {
      probed.forwarded = true;
    }
  }

  private void round() {
    if (closed) {
      return;
    }
    start();
    judge();
    Snapshot now = nib.snapshot();
    Set<String> held = held();
    switches.keySet().retainAll(held);
    Map<Integer, Integer> arcPast = new TreeMap<>();
    for (String switchId : held) {
      ProbePaths paths = new ProbePaths(nib, forwarding::tables, now.physical().indexOf(switchId));
      Probed probed = switches.computeIfAbsent(switchId, id -> new Probed());
      probe(now.physical(), switchId, probed, paths, arcPast);
    }
    arcPast.forEach((subnet, arc) -> send(now.physical(), arc, subnet, ""));
  }

  private Set<String> held() {
    Snapshot now = nib.snapshot();
    Set<String> held = new TreeSet<>();
    now.held().stream().mapToObj(now.physical()::switchId).forEach(held::add);
    held.removeIf(id -> nib.connected(id) || nib.config().excludedSwitches().contains(id));
    return held;
  }

  private void judge() {
    List<String> silent = new ArrayList<>();
    switches.forEach(
        (switchId, probed) -> {
          if (probed.roundPassed(reached)) {
            silent.add(switchId);
          }
        });
    reached.clear();
    for (String switchId : silent) {
      LOG.warn(
          "{} is not connected and does not forward; the other switches route around it", switchId);
      events.add(Event.Kind.SWITCH_SILENT, switchId, loop.nanoTime());
      nib.markSilent(switchId);
    }
    if (!silent.isEmpty()) {
      changes.changed();
    }
  }

  /**
   * @param arcPast gets, for each subnet that is probed, an arc by which to reach it otherwise
   */
  private void probe(
      Fabric fabric,
      String switchId,
      Probed probed,
      ProbePaths paths,
      Map<Integer, Integer> arcPast) {
    List<Integer> arcs = paths.arcsIn();
    List<Integer> subnets = paths.subnets();
    if (arcs.isEmpty() || subnets.isEmpty()) {
      return;
    }
    for (int i = 0; i < MOST_LOOKED_AT && probed.sentInRound < PROBES; i++) {
      // In turn, so that after some rounds every port has been combined with every subnet.
      int arc = arcs.get(probed.turn % arcs.size());
      int subnet = subnets.get(probed.turn / arcs.size() % subnets.size());
      probed.turn = probed.turn + 1 & Integer.MAX_VALUE;
      if (paths.canPass(arc, subnet)) {
        send(fabric, arc, subnet, switchId);
        probed.sentInRound++;
        probed.ports.add(fabric.port(arc ^ 1));
        probed.destinations.add(fabric.switchId(fabric.subnetSwitch(subnet)));
        arcPast.put(subnet, paths.arcPast(subnet));
      }
    }
  }

  private void send(Fabric fabric, int arc, int subnet, String switchId) {
    int gateway = fabric.subnetPrefix(subnet).gateway();
    southbound.sendPacket(
        fabric.switchId(fabric.from(arc)),
        fabric.port(arc),
        ForwardingProbe.frame(nonce, gateway, flows++, switchId));
  }
}
