package org.evenweave.engine.links;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.port.PortCounters;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.runtime.Changes;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects links that lose or delay packets or whose MTU is too small. A lossy or slow link is
 * reported, and avoided if so configured; a link with too small an MTU is always avoided, like a
 * link that is down. The only link between two parts of the fabric is never avoided. Belongs to the
 * engine's loop.
 */
final class LinkQuality implements LinkProbes.Circumstances {
  /** Readings in the window of {@link DirectionLoss}: a minute at a reading in two seconds. */
  private static final int WINDOW_ROUNDS = 30;

  /**
   * What a packet of the full size takes of a link besides its IP packet: preamble, Ethernet header
   * with a tag, checksum, and the gap to the next one (IEEE 802.3).
   */
  private static final int OVERHEAD_BYTES = 42;

  /**
   * No link of a fabric has less, not even in a laboratory. A queue can last only before a link
   * that carries all it can, and what is configured need not be that: only its proportions matter
   * to the weights.
   */
  private static final int LEAST_CAPACITY_BPS = 4_000_000;

  private static final Logger LOG = LoggerFactory.getLogger(LinkQuality.class);

  private final EngineLoop loop;
  private final Nib nib;
  private final EventLog events;
  private final LinkProbes probes;
  private final Changes changes;

  /** By the port that sends; those of links that are down keep their state. */
  private final Map<SwitchPort, Measured> directions = new TreeMap<>();

  /** Those that are lossy or whose MTU is too small. */
  private final Map<SwitchPort, Measured> faulty = new TreeMap<>();

  /** By name, the links that are up. */
  private final Map<String, LinkReport> reports = new TreeMap<>();

  /** The latest two readings of counters; null before there are as many. */
  private PortSweeps.Reading latest;

  private PortSweeps.Reading oneBefore;

  private Set<SwitchPort> avoided = Set.of();
  private EngineConfig followed;

  private static final class Measured {
    final LinkDirection direction;
    final DirectionLoss counters = new DirectionLoss();
    final LossState state = new LossState();
    boolean up;
    boolean mtuTooSmall;
    long dropped = PortCounters.UNSUPPORTED;

    Measured(LinkDirection direction) {
      this.direction = direction;
    }
  }

  LinkQuality(EngineLoop loop, Nib nib, EventLog events, LinkProbes probes, Changes changes) {
    this.loop = loop;
    this.nib = nib;
    this.events = events;
    this.probes = probes;
    this.changes = changes;
    followed = nib.config();
  }

  /**
   * A round begins.
   *
   * @param up directions of links that are up, of which the round is
   * @param down directions of links that are not, or whose switches are not connected
   */
  void measuring(Collection<LinkDirection> up, Collection<LinkDirection> down) {
    for (LinkDirection direction : up) {
      Measured known = directions.get(direction.from);
      if (known == null || !known.direction.to.equals(direction.to)) {
        known = new Measured(direction);
        directions.put(direction.from, known);
      }
      known.up = true;
    }
    for (LinkDirection direction : down) {
      Measured known = directions.get(direction.from);
      if (known != null) {
        known.up = false;
        known.counters.restart();
        reports.remove(direction.link);
      }
    }
  }

  /**
   * The counters of all ports have been read.
   *
   * @param up as when the round began
   * @param periodNanos since they were read before
   */
  void measured(Collection<LinkDirection> up, PortSweeps.Reading reading, long periodNanos) {
    long nowNanos = loop.nanoTime();
    oneBefore = latest;
    latest = reading;
    for (LinkDirection ofRound : up) {
      Measured direction = directions.get(ofRound.from);
      if (direction != null && direction.up) {
        PortLook[] sender = reading.of(ofRound.from);
        PortLook[] receiver = reading.of(ofRound.to);
        if (sender != null && receiver != null) {
          direction.dropped = sender[1].counters.txDropped();
          direction.counters.add(sender, receiver, nowNanos, WINDOW_ROUNDS * periodNanos);
        }
        judge(direction, periodNanos, nowNanos);
      }
    }
    avoid();
    for (LinkDirection direction : up) {
      if (direction.from.equals(direction.linkEnd)) {
        report(direction);
      }
    }
  }

  /** As far as its port counts that. */
  @Override
  public boolean isBusy(SwitchPort from) {
    Measured direction = directions.get(from);
    return direction != null && direction.counters.isBusy();
  }

  /** As if all packets were of the full size; of a port that does not count it is not known. */
  @Override
  public boolean mayQueue(SwitchPort from) {
    Measured direction = directions.get(from);
    if (direction == null || !direction.counters.hasRate()) {
      return true;
    }
    double mostBps = direction.counters.highestPps() * (mtu(direction) + OVERHEAD_BYTES) * 8;
    return mostBps >= LEAST_CAPACITY_BPS;
  }

  @Override
  public long answerNanos(String switchId) {
    long last = latest == null ? -1 : latest.answerNanos(switchId);
    long before = oneBefore == null ? -1 : oneBefore.answerNanos(switchId);
    return last < 0 || before < 0 ? -1 : Math.max(last, before);
  }

  private void judge(Measured direction, long periodNanos, long nowNanos) {
    ProbeHistory history = probes.history(direction.direction.from);
    ProbeDelay delay = probes.delay(direction.direction.from);
    if (history.isMtuTooSmall() != direction.mtuTooSmall) {
      direction.mtuTooSmall = history.isMtuTooSmall();
      direction.counters.restart();
      note(
          direction.mtuTooSmall ? Event.Kind.MTU_TOO_SMALL : Event.Kind.MTU_RESTORED,
          direction.direction.link
              + ": packets of "
              + mtu(direction)
              + " bytes "
              + (direction.mtuTooSmall ? "do not pass" : "pass")
              + " from "
              + direction.direction,
          nowNanos);
    }
    // An MTU that is too small loses packets, too: it is to be named, and not a lossy link.
    if (!history.pointsToMtu()) {
      LossState.Kind before = direction.state.kind();
      if (direction.state.follow(direction.counters, history, delay, periodNanos, nowNanos)) {
        noteKind(direction, before, nowNanos);
      }
    }
    if (direction.state.kind() != LossState.Kind.CLEAN || direction.mtuTooSmall) {
      faulty.put(direction.direction.from, direction);
    } else {
      faulty.remove(direction.direction.from);
    }
  }

  private void noteKind(Measured direction, LossState.Kind before, long nowNanos) {
    String subject = direction.direction.link + ": ";
    switch (direction.state.kind()) {
      case LOSSY:
        subject += direction.state.sentence(direction.direction);
        note(Event.Kind.LINK_LOSSY, subject, nowNanos);
        break;
      case SLOW:
        subject += direction.state.sentence(direction.direction);
        note(Event.Kind.LINK_SLOW, subject, nowNanos);
        break;
      default:
        String verb = before == LossState.Kind.LOSSY ? "loses" : "delays";
        subject += direction.direction + " " + verb + " nothing";
        note(Event.Kind.LINK_CLEAN, subject, nowNanos);
    }
  }

  private int mtu(Measured direction) {
    return Math.min(
        nib.config().mtuOf(direction.direction.from), nib.config().mtuOf(direction.direction.to));
  }

  private void note(Event.Kind kind, String subject, long atNanos) {
    LOG.warn("{} {}", kind.text(), subject);
    boolean isAnswered = kind == Event.Kind.MTU_TOO_SMALL || kind == Event.Kind.MTU_RESTORED;
    if (isAnswered || nib.config().excludesLossyLinks()) {
      events.add(kind, subject, atNanos);
    } else {
      events.note(kind, subject, atNanos);
    }
  }

  /** Another snapshot is in force, or another configuration. */
  void follow() {
    EngineConfig config = nib.config();
    if (config == followed) {
      return;
    }
    if (config.intended() != followed.intended()) {
      Set<SwitchPort> ends = new HashSet<>();
      for (int arc = 0; arc < config.intended().arcCount(); arc++) {
        ends.add(config.intended().end(arc));
      }
      if (!config.linksDiscovered()) {
        directions.keySet().retainAll(ends);
        faulty.keySet().retainAll(ends);
        probes.retain(ends);
        reports.clear();
      }
    }
    followed = config;
    avoid();
  }

  /** Has the links avoided that are to be, if these are others than before. */
  private void avoid() {
    Set<SwitchPort> now = new TreeSet<>();
    boolean isLossAvoided = nib.config().excludesLossyLinks();
    for (Measured direction : faulty.values()) {
      boolean isClean = direction.state.kind() == LossState.Kind.CLEAN;
      if (direction.mtuTooSmall || (isLossAvoided && !isClean)) {
        now.add(direction.direction.linkEnd);
      }
    }
    if (!now.equals(avoided)) {
      avoided = now;
      nib.avoid(now);
      changes.changed();
    }
  }

  /** A sentence on each link that is up and lossy or slow, or whose MTU is too small. */
  List<String> reasons() {
    Map<String, String> reasons = new TreeMap<>();
    for (Measured direction : faulty.values()) {
      if (direction.up) {
        String text = String.join("; it ", faults(direction).values()) + consequence(direction);
        reasons.merge(direction.direction.link, text, (one, other) -> one + "; it " + other);
      }
    }
    List<String> sentences = new ArrayList<>();
    reasons.forEach((link, text) -> sentences.add("link " + link + " " + text));
    return sentences;
  }

  /**
   * The faults of directions by which switches forward packets.
   *
   * @param tables what the switches hold, by switch id
   */
  List<CarriageFault> carried(Map<String, SwitchTables> tables) {
    List<CarriageFault> carried = new ArrayList<>();
    for (Measured measured : faulty.values()) {
      SwitchPort from = measured.direction.from;
      SwitchTables ofSender = tables.get(from.switchId());
      if (measured.up && ofSender != null && ofSender.routedPorts().contains(from.number())) {
        String link = measured.direction.link;
        faults(measured)
            .forEach(
                (kind, text) ->
                    carried.add(
                        new CarriageFault(
                            kind,
                            from,
                            link,
                            "link " + link + " " + text + consequence(measured))));
      }
    }
    return carried;
  }

  private Map<CarriageFault.Kind, String> faults(Measured direction) {
    Map<CarriageFault.Kind, String> faults = new EnumMap<>(CarriageFault.Kind.class);
    if (direction.state.kind() != LossState.Kind.CLEAN) {
      boolean isLossy = direction.state.kind() == LossState.Kind.LOSSY;
      faults.put(
          isLossy ? CarriageFault.Kind.LOSSY_LINK : CarriageFault.Kind.SLOW_LINK,
          (isLossy ? "is lossy: " : "is slow: ")
              + direction.state.sentence(direction.direction)
              + " since "
              + direction.state.since());
    }
    if (direction.mtuTooSmall) {
      faults.put(
          CarriageFault.Kind.MTU_TOO_SMALL,
          "has too small an MTU: packets of "
              + mtu(direction)
              + " bytes do not pass from "
              + direction.direction
              + ", and small ones do");
    }
    return faults;
  }

  private String consequence(Measured direction) {
    String link = direction.direction.link;
    if (!avoided.contains(direction.direction.linkEnd)) {
      return "";
    }
    return nib.snapshot().avoidedLinks().contains(link)
        ? "; it carries no traffic"
        : "; it carries traffic because there is no other path";
  }

  private void report(LinkDirection one) {
    Measured there = directions.get(one.from);
    Measured back = directions.get(one.to);
    if (there != null && there.up && back != null && back.up) {
      reports.put(
          one.link, new LinkReport(one.link, mtu(there), List.of(shown(there), shown(back))));
    }
  }

  private LinkReport.Direction shown(Measured direction) {
    return new LinkReport.Direction(
        direction.direction,
        direction.counters,
        direction.dropped,
        probes.history(direction.direction.from),
        probes.delay(direction.direction.from),
        direction.state);
  }

  /** The links that are up, as of when each was measured last. */
  List<LinkReport> reports() {
    return List.copyOf(reports.values());
  }
}
