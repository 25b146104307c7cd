package org.evenweave.wcmp.fabric;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A port of a given switch, such as one end of a link. Immutable; ordered by switch id, then by
 * port number.
 *
 * <p>Its text, {@code s1-0/3}, is for JSON, command lines and logs only. It is not an LLDP port id,
 * which names a port within its switch.
 */
public final class SwitchPort implements Comparable<SwitchPort> {
  /** Switch ids hold no slash; nine digits are more than any port number that a link can have. */
  private static final Pattern TEXT = Pattern.compile("([^/]+)/([1-9][0-9]{0,8})");

  private final String switchId;
  private final int number;

  /**
   * @param number as OpenFlow counts ports; that of a link's end is at least 1
   */
  public SwitchPort(String switchId, int number) {
    this.switchId = switchId;
    this.number = number;
  }

  /**
   * Reads {@code s1-0/3}.
   *
   * @throws IllegalArgumentException if it is not a switch id, a slash and a number from 1
   */
  public static SwitchPort parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "must be switch/port with a port from 1, not \"" + text + "\"");
    }
    return new SwitchPort(matcher.group(1), Integer.parseInt(matcher.group(2)));
  }

  public String switchId() {
    return switchId;
  }

  public int number() {
    return number;
  }

  @Override
  public int compareTo(SwitchPort other) {
    int bySwitch = switchId.compareTo(other.switchId);
    return bySwitch != 0 ? bySwitch : Integer.compare(number, other.number);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SwitchPort
        && ((SwitchPort) other).number == number
        && ((SwitchPort) other).switchId.equals(switchId);
  }

  @Override
  public int hashCode() {
    return 31 * switchId.hashCode() + number;
  }

  /** As {@link #parse} reads it. */
  @Override
  public String toString() {
    return switchId + "/" + number;
  }
}
