package org.evenweave.engine.links;

import java.time.Instant;
import java.util.List;
import org.evenweave.wcmp.fabric.SwitchPort;

/** The measured quality of a link that is up, from the latest round. Immutable. */
public final class LinkReport {
  /** One of its two directions. */
  public static final class Direction {
    private final SwitchPort from;
    private final SwitchPort to;
    private final double seconds;
    private final long sent;
    private final long lost;
    private final long errors;
    private final long dropped;
    private final int probes;
    private final int lostProbes;
    private final boolean mtuTooSmall;
    private final double lossShare;
    private final Instant lossySince;
    private final long delayNanos;
    private final Instant slowSince;

    Direction(
        LinkDirection direction,
        DirectionLoss counters,
        long dropped,
        ProbeHistory history,
        ProbeDelay delay,
        LossState state) {
      from = direction.from;
      to = direction.to;
      seconds = counters.seconds();
      sent = counters.sent();
      lost = counters.lostAtLeast();
      errors = counters.errors();
      this.dropped = dropped;
      probes = history.probes();
      lostProbes = history.lostProbes();
      mtuTooSmall = history.isMtuTooSmall();
      lossShare = state.share();
      lossySince = state.kind() == LossState.Kind.LOSSY ? state.since() : null;
      delayNanos = delay.aboutNanos();
      slowSince = state.kind() == LossState.Kind.SLOW ? state.since() : null;
    }

    /** The port that sends. */
    public SwitchPort from() {
      return from;
    }

    /** The port that receives. */
    public SwitchPort to() {
      return to;
    }

    /** For how long the counters have been compared, at most the window of the rule; 0 if not. */
    public double seconds() {
      return seconds;
    }

    /** Packets that the sender has counted in that time. */
    public long sent() {
      return sent;
    }

    /** How many of them were lost for sure; those that may have been in flight do not count. */
    public long lost() {
      return lost;
    }

    /** Errors in that time: of the sender to send, of the receiver to receive. */
    public long errors() {
      return errors;
    }

    /** Packets that the sender has dropped before it sent them, as far as it counts them; or -1. */
    public long dropped() {
      return dropped;
    }

    /** Small probes of late. */
    public int probes() {
      return probes;
    }

    /** How many of them were lost. */
    public int lostProbes() {
      return lostProbes;
    }

    /** Whether small probes pass and those of the full size do not. */
    public boolean isMtuTooSmall() {
      return mtuTooSmall;
    }

    /** About which part of the packets or of the probes is lost; 0 while it is not lossy. */
    public double lossShare() {
      return lossShare;
    }

    /** Since when it is lossy; null while it is not. */
    public Instant lossySince() {
      return lossySince;
    }

    /** By about how much it delays probes, in nanoseconds; 0 while that is not known. */
    public long delayNanos() {
      return delayNanos;
    }

    /** Since when it is slow; null while it is not, or is lossy. */
    public Instant slowSince() {
      return slowSince;
    }
  }

  private final String link;
  private final int mtu;
  private final List<Direction> directions;

  LinkReport(String link, int mtu, List<Direction> directions) {
    this.link = link;
    this.mtu = mtu;
    this.directions = List.copyOf(directions);
  }

  /** As in {@code s1-0/1-s2-0/1}. */
  public String link() {
    return link;
  }

  /** The largest IP packet that the link must carry, as configured, in bytes. */
  public int mtu() {
    return mtu;
  }

  /** Both directions. */
  public List<Direction> directions() {
    return directions;
  }

  /** Whether packets are lost in one direction at least. */
  public boolean isLossy() {
    return directions.stream().anyMatch(direction -> direction.lossySince() != null);
  }

  /** Whether packets are delayed in one direction at least. */
  public boolean isSlow() {
    return directions.stream().anyMatch(direction -> direction.slowSince() != null);
  }

  /** Whether packets of the full size are lost in one direction at least, and small ones pass. */
  public boolean isMtuTooSmall() {
    return directions.stream().anyMatch(Direction::isMtuTooSmall);
  }
}
