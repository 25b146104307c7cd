package org.evenweave.wcmp.verification;

import java.util.Locale;

/** One thing that is wrong with a forwarding state. */
public final class Violation {
  /** What is wrong. */
  public enum Kind {
    /** Packets can return to a switch they have passed. */
    LOOP,
    /** Packets are dropped although the fabric has a path: no rule, or a port without a link. */
    BLACK_HOLE,
    /** The fabric has no path. */
    UNREACHABLE,
    /** A port gets more than the limit allows of what it should get. */
    SHARE,
    /** The groups take more multipath table entries than there are. */
    TABLE_OVERFLOW;

    /** As JSON shows it: {@code black-hole}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private final Kind kind;
  private final String switchId;
  private final String destination;
  private final String detail;

  Violation(Kind kind, String switchId, String destination, String detail) {
    this.kind = kind;
    this.switchId = switchId;
    this.destination = destination;
    this.detail = detail;
  }

  public Kind kind() {
    return kind;
  }

  /** The switch where it is seen. */
  public String switchId() {
    return switchId;
  }

  /** The destination prefix concerned; empty if it concerns all. */
  public String destination() {
    return destination;
  }

  /** One sentence: what was found and what would be right. */
  public String detail() {
    return detail;
  }

  @Override
  public String toString() {
    return kind.text()
        + " at "
        + switchId
        + (destination.isEmpty() ? "" : " to " + destination)
        + ": "
        + detail;
  }
}
