package org.evenweave.engine.discovery;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.evenweave.engine.links.LinkProbeFrame;
import org.evenweave.engine.links.LinkProbeFrame.Probe;
import org.evenweave.engine.port.PortCounters;
import org.evenweave.engine.port.TopologyListener;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Finds the links between switches by probes sent out of every port that is up.
 *
 * <p>A port is probed as soon as it is up, and then in every round. A probe that arrives names the
 * port it left from, so it proves one direction of one link; the first proof of a direction is
 * answered by a probe of the other direction at once, because the far end may have probed before
 * this end could listen. A direction is lost when {@link #ROUNDS_TO_LOSS} rounds in a row brought
 * no probe although both ports are up. One that was lost so is known again when probes of {@link
 * #ROUNDS_TO_RETURN} rounds in a row have passed it, for a single one gets through a link that
 * loses nearly all. A full queue drops probes as it drops other packets: a direction by which other
 * packets pass is not lost ({@link CarriedPackets}). Rounds are counted and not seconds, so that a
 * pause of this process loses nothing; and a round counts for a switch only if the switch has
 * confirmed in it that it sent probes, so that a pause of a switch loses nothing either. The links
 * of a port that goes down are removed without a report of their own: the listener gets the port's.
 *
 * <p>Not thread-safe, without threads and clocks of its own.
 */
public final class LinkDiscovery {
  /** Where probes go out. */
  public interface Outlet {
    /**
     * Sends each frame out of its port, or some of them; {@link #probesSent} is called once the
     * switch has confirmed that it sent all of them.
     */
    void send(String switchId, Map<Integer, byte[]> frameByPort);

    /**
     * Asks a switch what its ports have counted; {@link #counted} is called with its answer, if
     * there is one.
     */
    default void count(String switchId) {}
  }

  /** Rounds without a probe after which a link is lost; each must count at both its ends. */
  static final int ROUNDS_TO_LOSS = 3;

  /**
   * Rounds without a probe after which the counters of both ends are looked at, so that there are
   * two looks at the time of a loss.
   */
  static final int ROUNDS_TO_SUSPICION = 2;

  /** Rounds in a row, each with a probe, after which a direction that was silent is known again. */
  static final int ROUNDS_TO_RETURN = 3;

  private final LinkProbeFrame frames = new LinkProbeFrame(LinkProbeFrame.Purpose.DISCOVERY);
  private final Outlet outlet;
  private final TopologyListener listener;

  /** By id. */
  private final Map<String, ProbedSwitch> switches = new TreeMap<>();

  /** The known directions. */
  private final Map<Link, Confirmation> links = new LinkedHashMap<>();

  /** Directions that were lost in silence, and the rounds whose probes have passed them since. */
  private final Map<Link, Return> silent = new HashMap<>();

  private long round;

  /**
   * @param listener gets links only
   */
  public LinkDiscovery(Outlet outlet, TopologyListener listener) {
    this.outlet = outlet;
    this.listener = listener;
  }

  /**
   * Encodes and decodes one probe to load the classes this needs; at the first real probe that
   * would delay the first switch by a tenth of a second.
   */
  public void warmUp() {
    frames.read(frame("", 0));
  }

  public void portUp(String switchId, int port) {
    if (switches.computeIfAbsent(switchId, id -> new ProbedSwitch()).upPorts.add(port)) {
      probe(switchId, port);
    }
  }

  public void portDown(String switchId, int port) {
    ProbedSwitch ofPort = switches.get(switchId);
    if (ofPort != null && ofPort.upPorts.remove(port)) {
      links.keySet().removeIf(link -> link.touches(switchId, port));
      silent.keySet().removeIf(link -> link.touches(switchId, port));
    }
  }

  public void switchDown(String switchId) {
    switches.remove(switchId);
    links.keySet().removeIf(link -> link.touches(switchId));
    silent.keySet().removeIf(link -> link.touches(switchId));
  }

  /** A switch has confirmed that it sent all probes of an {@link Outlet#send}. */
  public void probesSent(String switchId) {
    ProbedSwitch probed = switches.get(switchId);
    if (probed != null) {
      probed.confirmed = true;
    }
  }

  /**
   * Starts the next round: loses what was silent, and probes every port.
   *
   * @return the switches for which the round that ends counts
   */
  public Set<String> nextRound(long nowNanos) {
    Set<String> counted = new HashSet<>();
    switches.forEach(
        (switchId, probed) -> {
          probed.endRound();
          if (probed.counts) {
            counted.add(switchId);
          }
        });
    Set<String> suspected = new TreeSet<>();
    Iterator<Map.Entry<Link, Confirmation>> known = links.entrySet().iterator();
    while (known.hasNext()) {
      Map.Entry<Link, Confirmation> entry = known.next();
      Link lost = entry.getKey();
      if (entry.getValue().isLostAfterRound()) {
        known.remove();
        silent.put(lost, new Return());
        listener.linkLost(lost.fromSwitch, lost.fromPort, lost.toSwitch, lost.toPort, nowNanos);
      } else if (entry.getValue().needsCounters()) {
        suspected.add(lost.fromSwitch);
        suspected.add(lost.toSwitch);
      }
    }
    suspected.forEach(outlet::count);
    round++;
    switches.forEach(
        (switchId, probed) -> {
          Map<Integer, byte[]> frames = new HashMap<>();
          probed.upPorts.forEach(port -> frames.put(port, frame(switchId, port)));
          outlet.send(switchId, frames);
        });
    return counted;
  }

  /**
   * An LLDP frame came in; one that is no fresh probe of this process is ignored.
   *
   * @return whether it is a probe of this process, fresh or not
   */
  public boolean received(String switchId, int port, byte[] frame, long atNanos) {
    Probe probe = frames.read(frame);
    if (probe != null) {
      received(switchId, port, probe, atNanos);
    }
    return probe != null;
  }

  private void received(String switchId, int port, Probe probe, long atNanos) {
    boolean fresh = round - probe.round <= ROUNDS_TO_LOSS;
    if (!fresh || !isUp(switchId, port) || !isUp(probe.from.switchId(), probe.from.number())) {
      return;
    }
    Link link = new Link(probe.from.switchId(), probe.from.number(), switchId, port);
    Confirmation confirmation = links.get(link);
    if (confirmation != null) {
      confirmation.passed();
      return;
    }
    Return returning = silent.get(link);
    if (returning != null && !returning.isCompleteWith(probe.round)) {
      return;
    }
    silent.remove(link);
    links.put(
        link, new Confirmation(atNanos, switches.get(link.fromSwitch), switches.get(switchId)));
    listener.linkSeen(link.fromSwitch, link.fromPort, link.toSwitch, link.toPort, atNanos);
    if (!links.containsKey(link.reversed())) {
      probe(switchId, port);
    }
  }

  /** What a switch has answered to {@link Outlet#count}. */
  public void counted(String switchId, Map<Integer, PortCounters> counters) {
    links.forEach(
        (link, confirmation) -> {
          if (confirmation.isSuspected() && link.touches(switchId)) {
            if (link.fromSwitch.equals(switchId)) {
              confirmation.carried.sent(counters.get(link.fromPort));
            } else {
              confirmation.carried.received(counters.get(link.toPort));
            }
          }
        });
  }

  /** Reports every known link to a listener. */
  public void repeat(TopologyListener late) {
    links.forEach(
        (link, confirmation) ->
            late.linkSeen(
                link.fromSwitch,
                link.fromPort,
                link.toSwitch,
                link.toPort,
                confirmation.firstAtNanos));
  }

  private boolean isUp(String switchId, int port) {
    ProbedSwitch probed = switches.get(switchId);
    return probed != null && probed.upPorts.contains(port);
  }

  private void probe(String switchId, int port) {
    outlet.send(switchId, Map.of(port, frame(switchId, port)));
  }

  private byte[] frame(String switchId, int port) {
    return frames.write(
        new Probe(new SwitchPort(switchId, port), round, LinkProbeFrame.LEAST_BYTES));
  }

  /** A switch that is connected. */
  private static final class ProbedSwitch {
    final Set<Integer> upPorts = new TreeSet<>();

    /**
     * Whether it has confirmed that it sent probes, of whatever round, since the last one began.
     */
    boolean confirmed;

    /** Whether the round that ended last counts. */
    boolean counts;

    void endRound() {
      counts = confirmed;
      confirmed = false;
    }
  }

  /** When a direction was confirmed first, and how many rounds ago last. */
  private static final class Confirmation {
    final long firstAtNanos;
    final ProbedSwitch from;
    final ProbedSwitch to;

    /** Looked at while it is suspected. */
    final CarriedPackets carried = new CarriedPackets();

    /** That counted at both ends, the one that brought a probe included. */
    int rounds;

    Confirmation(long firstAtNanos, ProbedSwitch from, ProbedSwitch to) {
      this.firstAtNanos = firstAtNanos;
      this.from = from;
      this.to = to;
    }

    /** A probe has passed. */
    void passed() {
      rounds = 0;
      carried.restart();
    }

    boolean isSuspected() {
      return rounds >= ROUNDS_TO_SUSPICION;
    }

    /** Not while a switch is stalled, since it would not answer. */
    boolean needsCounters() {
      return isSuspected() && from.counts && to.counts;
    }

    boolean isLostAfterRound() {
      rounds += from.counts && to.counts ? 1 : 0;
      return rounds > ROUNDS_TO_LOSS && !carried.areMost();
    }
  }

  /** The rounds in a row of which a probe has passed a direction that was lost in silence. */
  private static final class Return {
    private long lastRound;
    private int rounds;

    /** Returns whether they are enough with a probe of this round. */
    boolean isCompleteWith(long probeRound) {
      if (rounds == 0 || probeRound != lastRound) {
        rounds = rounds > 0 && probeRound == lastRound + 1 ? rounds + 1 : 1;
        lastRound = probeRound;
      }
      return rounds >= ROUNDS_TO_RETURN;
    }
  }

  /** One direction of a link. */
  private static final class Link {
    final String fromSwitch;
    final int fromPort;
    final String toSwitch;
    final int toPort;

    Link(String fromSwitch, int fromPort, String toSwitch, int toPort) {
      this.fromSwitch = fromSwitch;
      this.fromPort = fromPort;
      this.toSwitch = toSwitch;
      this.toPort = toPort;
    }

    Link reversed() {
      return new Link(toSwitch, toPort, fromSwitch, fromPort);
    }

    boolean touches(String switchId) {
      return fromSwitch.equals(switchId) || toSwitch.equals(switchId);
    }

    boolean touches(String switchId, int port) {
      return (fromPort == port && fromSwitch.equals(switchId))
          || (toPort == port && toSwitch.equals(switchId));
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Link
          && ((Link) other).fromPort == fromPort
          && ((Link) other).toPort == toPort
          && ((Link) other).fromSwitch.equals(fromSwitch)
          && ((Link) other).toSwitch.equals(toSwitch);
    }

    @Override
    public int hashCode() {
      return Objects.hash(fromSwitch, fromPort, toSwitch, toPort);
    }
  }
}
