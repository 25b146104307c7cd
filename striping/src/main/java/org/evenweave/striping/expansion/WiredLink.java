package org.evenweave.striping.expansion;

import java.util.Locale;
import java.util.Objects;

/**
 * A link between an uplink port of an S1 switch and a downlink port of an S2 switch. Switches count
 * from 0 within their stage, ports from 1 among the switch's ports that face the other stage.
 */
public final class WiredLink {

  private final int s1;
  private final int s1Port;
  private final int s2;
  private final int s2Port;

  /**
   * A link from port {@code s1Port} of S1 switch {@code s1} to port {@code s2Port} of S2 switch
   * {@code s2}.
   */
  public WiredLink(int s1, int s1Port, int s2, int s2Port) {
    this.s1 = s1;
    this.s1Port = s1Port;
    this.s2 = s2;
    this.s2Port = s2Port;
  }

  /** The S1 switch. */
  public int s1() {
    return s1;
  }

  /** The port of the S1 switch. */
  public int s1Port() {
    return s1Port;
  }

  /** The S2 switch. */
  public int s2() {
    return s2;
  }

  /** The port of the S2 switch. */
  public int s2Port() {
    return s2Port;
  }

  /** The switch at one end. */
  int switchAt(Stage end) {
    return end == Stage.S1 ? s1 : s2;
  }

  /** The port at one end. */
  int portAt(Stage end) {
    return end == Stage.S1 ? s1Port : s2Port;
  }

  /** This link with one end plugged in elsewhere. */
  WiredLink withEnd(Stage end, int toSwitch, int toPort) {
    return end == Stage.S1
        ? new WiredLink(toSwitch, toPort, s2, s2Port)
        : new WiredLink(s1, s1Port, toSwitch, toPort);
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof WiredLink)) {
      return false;
    }
    WiredLink that = (WiredLink) other;
    return s1 == that.s1 && s1Port == that.s1Port && s2 == that.s2 && s2Port == that.s2Port;
  }

  @Override
  public int hashCode() {
    return Objects.hash(s1, s1Port, s2, s2Port);
  }

  /** Both ends, written as in a fabric's links: {@code s1-3/4 s2-0/7}. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "s1-%d/%d s2-%d/%d", s1, s1Port, s2, s2Port);
  }
}
