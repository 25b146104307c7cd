package org.evenweave.engine.interference;

import java.util.List;
import java.util.Locale;

/** The fate of packets, and the switch that decides it. Immutable. */
public final class Effect {
  /** In the order in which one hides another where both happen to parts of the same traffic. */
  public enum Kind {
    /** They arrive where they should. */
    HARMLESS,
    /** It cannot be told: a rule has actions that may do anything. */
    UNKNOWN,
    /** They arrive elsewhere. */
    MISDIRECTED,
    /** They arrive nowhere. */
    LOST,
    /** They come back to a switch as they left it. */
    LOOPED;

    /** As REST shows it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static final Effect HARMLESS = new Effect(Kind.HARMLESS, "");

  private final Kind kind;
  private final String where;

  Effect(Kind kind, String where) {
    this.kind = kind;
    this.where = where;
  }

  public Kind kind() {
    return kind;
  }

  /** Where and how it happens, in a few words; empty if it is harmless. */
  public String where() {
    return where;
  }

  boolean isHarmful() {
    return kind != Kind.HARMLESS;
  }

  /** What is the worst for parts of the traffic that meet one or the other. */
  Effect or(Effect other) {
    return other.kind.compareTo(kind) > 0 ? other : this;
  }

  /**
   * What copies of the same packet come to: one that arrives is enough, unless another one loops.
   *
   * @param ifNone where there is no copy
   */
  static Effect ofCopies(List<Effect> copies, Effect ifNone) {
    Effect best = ifNone;
    for (Effect copy : copies) {
      if (copy.kind == Kind.LOOPED) {
        return copy;
      }
      if (best == ifNone || copy.kind.compareTo(best.kind) < 0) {
        best = copy;
      }
    }
    return best;
  }
}
