package org.evenweave.engine.links;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Probes links that are up, each direction by a small packet and one of the full size in a round
 * ({@link ProbeHistory}). Runtimes find links by probes of their own, which are small.
 *
 * <p>A probe is lost if it has not arrived when the next round but one begins. It counts as lost
 * only if in its round another probe of the same sender arrived somewhere, and another one arrived
 * at the same receiver, and both switches answered other requests in time: a controller or a switch
 * that is stalled, or one of their threads, loses nothing. Under load one that has vanished may
 * have been dropped by a full queue, and only one that has arrived damaged was certainly lost by
 * the link. Belongs to the engine's loop.
 */
final class LinkProbes {
  /** What else is known of the time of a round. */
  interface Circumstances {
    /** Whether the direction that begins at a port is under load: its queue may drop packets. */
    boolean isBusy(SwitchPort from);

    /** Whether that direction carries so much that packets may have to wait all the time. */
    boolean mayQueue(SwitchPort from);

    /** How long a switch took to answer requests of late, or -1 if it left one unanswered. */
    long answerNanos(String switchId);
  }

  /** Rounds for which probes may be in flight. */
  private static final int ROUNDS_UNDER_WAY = 2;

  private static final class Sent {
    final SwitchPort to;
    final int fullBytes;
    final long atNanos;

    /** Until the small probe arrived. */
    long underWayNanos;

    boolean small;
    boolean full;

    /** Whether a probe has arrived at the other end that is not as it was sent. */
    boolean damaged;

    Sent(SwitchPort to, int fullBytes, long atNanos) {
      this.to = to;
      this.fullBytes = fullBytes;
      this.atNanos = atNanos;
    }
  }

  private final SouthboundPort southbound;
  private final ToIntFunction<SwitchPort> mtuOf;
  private final LongSupplier nanoTime;
  private final LinkProbeFrame frames;

  /** By round, by the port that probes left by. */
  private final Map<Long, Map<SwitchPort, Sent>> underWay = new HashMap<>();

  private final Map<SwitchPort, ProbeHistory> histories = new HashMap<>();
  private final Map<SwitchPort, ProbeDelay> delays = new HashMap<>();
  private long round;

  /**
   * @param mtuOf the largest IP packet that the link at an end must carry, in bytes
   */
  LinkProbes(SouthboundPort southbound, ToIntFunction<SwitchPort> mtuOf, LongSupplier nanoTime) {
    this.southbound = southbound;
    this.mtuOf = mtuOf;
    this.nanoTime = nanoTime;
    frames = new LinkProbeFrame(LinkProbeFrame.Purpose.MEASUREMENT);
  }

  /**
   * Ends the round whose probes had time enough to arrive, and begins another, in which nothing is
   * sent yet.
   *
   * @param down directions of links that are not up
   */
  void nextRound(Collection<LinkDirection> down, Circumstances circumstances) {
    Map<SwitchPort, Sent> over = underWay.remove(round - ROUNDS_UNDER_WAY + 1);
    for (LinkDirection direction : down) {
      ProbeHistory history = histories.get(direction.from);
      if (history != null) {
        history.restart();
        delay(direction.from).restart();
      }
      if (over != null) {
        over.remove(direction.from);
      }
    }
    if (over != null) {
      judge(over, circumstances);
    }
    round++;
    underWay.put(round, new HashMap<>());
  }

  /** Probes some directions, in the round that began last. */
  void send(Collection<LinkDirection> directions) {
    for (LinkDirection direction : directions) {
      int fullBytes =
          LinkProbeFrame.HEADER_BYTES
              + Math.min(mtuOf.applyAsInt(direction.from), mtuOf.applyAsInt(direction.to));
      underWay
          .get(round)
          .put(direction.from, new Sent(direction.to, fullBytes, nanoTime.getAsLong()));
      send(direction.from, LinkProbeFrame.LEAST_BYTES);
      send(direction.from, fullBytes);
    }
  }

  private void send(SwitchPort from, int bytes) {
    byte[] frame = frames.write(new LinkProbeFrame.Probe(from, round, bytes));
    southbound.sendPacket(from.switchId(), from.number(), frame);
  }

  private void judge(Map<SwitchPort, Sent> over, Circumstances circumstances) {
    Set<String> senders = new HashSet<>();
    Set<String> receivers = new HashSet<>();
    over.forEach(
        (from, sent) -> {
          if (sent.small || sent.full) {
            senders.add(from.switchId());
            receivers.add(sent.to.switchId());
          }
        });
    over.forEach(
        (from, sent) -> {
          long senderNanos = circumstances.answerNanos(from.switchId());
          long receiverNanos = circumstances.answerNanos(sent.to.switchId());
          boolean isInTime = senderNanos >= 0 && receiverNanos >= 0;
          boolean isWitnessed =
              senders.contains(from.switchId()) && receivers.contains(sent.to.switchId());
          if (isInTime && isWitnessed) {
            boolean mayBeQueue = !sent.damaged && circumstances.isBusy(from);
            history(from).add(sent.small, sent.full, mayBeQueue);
          }
          if (isInTime && sent.small) {
            boolean mayBeQueue = circumstances.mayQueue(from);
            delay(from).add(sent.underWayNanos, senderNanos + receiverNanos, mayBeQueue);
          }
        });
  }

  /**
   * A frame came to the controller.
   *
   * @return whether it is LLDP, and nobody else's business
   */
  boolean received(SwitchPort at, byte[] frame) {
    LinkProbeFrame.Probe probe = frames.read(frame);
    Map<SwitchPort, Sent> ofRound = probe == null ? null : underWay.get(probe.round);
    Sent sent = ofRound == null ? null : ofRound.get(probe.from);
    if (sent != null && sent.to.equals(at)) {
      sent.full |= probe.bytes == sent.fullBytes;
      if (probe.bytes == LinkProbeFrame.LEAST_BYTES && !sent.small) {
        sent.small = true;
        sent.underWayNanos = nanoTime.getAsLong() - sent.atNanos;
      }
    }
    if (probe == null && LinkProbeFrame.mayBeOne(frame, LinkProbeFrame.Purpose.MEASUREMENT)) {
      damaged(at);
    }
    return probe != null || LinkProbeFrame.isLldp(frame);
  }

  /** What the frame says cannot be believed: its direction is the one that ends at the port. */
  private void damaged(SwitchPort at) {
    for (Map<SwitchPort, Sent> ofRound : underWay.values()) {
      for (Sent sent : ofRound.values()) {
        sent.damaged |= sent.to.equals(at);
      }
    }
  }

  /** What is known of the direction that begins at a port; of a new one, nothing. */
  ProbeHistory history(SwitchPort from) {
    return histories.computeIfAbsent(from, any -> new ProbeHistory());
  }

  /** How long the direction that begins at a port delays probes. */
  ProbeDelay delay(SwitchPort from) {
    return delays.computeIfAbsent(from, any -> new ProbeDelay());
  }

  /** Forgets directions that are configured no more. */
  void retain(Set<SwitchPort> froms) {
    histories.keySet().retainAll(froms);
    delays.keySet().retainAll(froms);
  }
}
