package org.evenweave.engine.links;

import java.util.Locale;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * A fault of a link by which switches forward packets, or of a port with hosts: packets are lost or
 * late there although all tables are right. Immutable.
 */
public final class CarriageFault {
  /** What the fault is. */
  public enum Kind {
    LOSSY_LINK,
    SLOW_LINK,
    MTU_TOO_SMALL,
    PORT_BLOCKED;

    /** As REST shows it: {@code lossy-link}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private final Kind kind;
  private final SwitchPort port;
  private final String subject;
  private final String sentence;

  CarriageFault(Kind kind, SwitchPort port, String subject, String sentence) {
    this.kind = kind;
    this.port = port;
    this.subject = subject;
    this.sentence = sentence;
  }

  public Kind kind() {
    return kind;
  }

  /** The port itself, or the one that sends in the faulty direction of a link. */
  public SwitchPort port() {
    return port;
  }

  /** The name of the link, or of the port. */
  public String subject() {
    return subject;
  }

  /** A sentence on the fault, as the status has it. */
  @Override
  public String toString() {
    return sentence;
  }
}
