package org.evenweave.engine.events;

import java.util.Locale;
import java.util.Map;
import org.evenweave.engine.runtime.PlanTimes;

/**
 * Something that happened to the network or the engine, and when the switches confirmed the changes
 * it needs.
 */
public final class Event {
  /** What happened. */
  public enum Kind {
    SWITCH_UP,
    SWITCH_DOWN,
    /** A switch that is not connected forwards nothing; it is routed around. */
    SWITCH_SILENT,
    LINK_UP,
    LINK_DOWN,
    /** Another controller is a switch's master, so that it cannot be programmed. */
    OTHER_MASTER,
    /** A switch is refused because one that is connected has the same datapath id. */
    DUPLICATE_DATAPATH,
    /** A link has failed too often; it carries no traffic until it is released. */
    LINK_DAMPED,
    /** A link that was damped carries traffic again while it is up. */
    LINK_RELEASED,
    /** Another than a switch's controller restricts a port, or no longer does; the subject says. */
    PORT_SETTINGS,
    /** A port came up slower than its link is configured; the subject says. */
    PORT_SLOW,
    /** A port that was slow has the speed that is configured. */
    PORT_NOT_SLOW,
    /** A link loses packets in one direction or both; the subject says which, and how many. */
    LINK_LOSSY,
    /** A link delays packets in one direction or both; the subject says which, and by how much. */
    LINK_SLOW,
    /** A link that was lossy or slow has lost and delayed nothing for some time. */
    LINK_CLEAN,
    /** A link loses packets of the full size, and carries small ones. */
    MTU_TOO_SMALL,
    /** A link whose MTU was too small carries packets of the full size. */
    MTU_RESTORED,
    /** Probes pass between two ports that are in no configured link; it carries nothing. */
    UNEXPECTED_LINK,
    /** Probes pass between two ports of which one is configured to lead elsewhere. */
    MISCABLED_LINK,
    /** Another weight rule was chosen. */
    STRATEGY,
    /** Weights are for another traffic matrix, or no longer for one; the subject says which. */
    TRAFFIC,
    /** Another configuration is in force; the subject names the differences. */
    CONFIGURATION,
    /** A switch refused a change, or did not answer; it is tried again. */
    REFUSED,
    /** A switch's tables were not as installed; they are repaired. The detail says what differs. */
    DRIFT,
    /** A rule that is not Evenweave's harms the fabric's traffic; the subject says how. */
    FOREIGN_RULE,
    /** Such a rule is gone, or harms nothing any more. */
    FOREIGN_RULE_GONE,
    /** Such a rule was deleted, as the configuration asks for. */
    FOREIGN_RULE_REMOVED,
    /** Somebody else changes a rule of Evenweave's again and again; the subject says who. */
    RULE_CONTESTED,
    /** A switch that held tables connected with none: it restarted, or was in standalone mode. */
    TABLES_EMPTIED,
    /** What is wanted exceeds a switch's limits; the subject says what is done instead. */
    CANNOT_FIT,
    /** A switch refused something for want of room; the subject says what it can hold. */
    LIMIT_LEARNED,
    /** Pairs use their destinations' groups where the strategy gives them some of their own. */
    PAIRS_LEFT_OUT,
    /** Groups leave a port out because one entry would exceed its share; the subject says so. */
    PORT_LEFT_OUT,
    /** A port that was left out is used again, or is no next hop any more. */
    PORT_NOT_LEFT_OUT,
    /** A plan would have made packets loop or vanish at some step; nothing was changed. */
    UNSAFE,
    /** A host answers where it is known, and another place claims its address; it stays. */
    DUPLICATE_ADDRESS,
    /** A host claims the address of its gateway; it is not learned. */
    GATEWAY_CLAIMED,
    /** A port or a switch has as many hosts as are learned of one. */
    HOST_LIMIT,
    /** A port sends packets from addresses that are not allowed there; they are dropped. */
    SOURCE_REFUSED;

    /** As REST shows it: {@code link-down}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private final long sequence;
  private final long change;
  private final Kind kind;
  private final String subject;
  private final String detail;
  private final long detectedNanos;
  private final long detectedEpochMicros;
  private final long confirmedEpochMicros;
  private final int groupsChanged;
  private final int flowsChanged;
  private final Map<String, Long> stageNanos;

  Event(
      long sequence,
      long change,
      Kind kind,
      String subject,
      String detail,
      long detectedNanos,
      long detectedEpochMicros,
      long confirmedEpochMicros,
      int groupsChanged,
      int flowsChanged,
      Map<String, Long> stageNanos) {
    this.sequence = sequence;
    this.change = change;
    this.kind = kind;
    this.subject = subject;
    this.detail = detail;
    this.detectedNanos = detectedNanos;
    this.detectedEpochMicros = detectedEpochMicros;
    this.confirmedEpochMicros = confirmedEpochMicros;
    this.groupsChanged = groupsChanged;
    this.flowsChanged = flowsChanged;
    this.stageNanos = stageNanos;
  }

  /** Confirmed so long after it was detected, whatever was done to the wall clock meanwhile. */
  Event confirmed(long newChange, long atNanos, int groups, int flows, PlanTimes times) {
    return new Event(
        sequence,
        newChange,
        kind,
        subject,
        detail,
        detectedNanos,
        detectedEpochMicros,
        detectedEpochMicros + (atNanos - detectedNanos) / 1_000,
        groups,
        flows,
        times.between(detectedNanos, atNanos));
  }

  /** Rises by one with every event, from 1. */
  public long sequence() {
    return sequence;
  }

  /** Rises with everything that is written down, confirmations too. */
  public long change() {
    return change;
  }

  public Kind kind() {
    return kind;
  }

  /** The switch, the link, or a sentence. */
  public String subject() {
    return subject;
  }

  /** More about it than the subject says; empty if there is nothing. */
  public String detail() {
    return detail;
  }

  /** When the runtime first knew, by the engine's clock, which never steps. */
  long detectedNanos() {
    return detectedNanos;
  }

  /** When the runtime first knew by the wall clock of that time, microseconds since the epoch. */
  public long detectedEpochMicros() {
    return detectedEpochMicros;
  }

  /**
   * When the last switch confirmed its last change; 0 until then. The time since the event was
   * detected is by a clock that never steps.
   */
  public long confirmedEpochMicros() {
    return confirmedEpochMicros;
  }

  /** Groups that the confirmed plan changed. */
  public int groupsChanged() {
    return groupsChanged;
  }

  /** Flow rules that the confirmed plan changed. */
  public int flowsChanged() {
    return flowsChanged;
  }

  /**
   * Where the time until the confirmation went, as {@link PlanTimes#between}; empty until then, and
   * where no plan was computed for the event.
   */
  public Map<String, Long> stageNanos() {
    return stageNanos;
  }
}
