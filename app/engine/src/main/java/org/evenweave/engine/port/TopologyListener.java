package org.evenweave.engine.port;

import java.util.Set;
import org.evenweave.engine.nib.PortSettings;

/**
 * Receives topology events. Times are {@link System#nanoTime} of when the runtime first knew (the
 * arrival of the message, not the end of its handling), so that reactions can be timed.
 */
public interface TopologyListener {
  /**
   * A switch is connected and can be programmed; its tables are unknown until read.
   *
   * @param switchId the configured id, or {@code of:<16 hex digits>} for a switch that has none
   */
  void switchUp(String switchId, long atNanos);

  /** A switch cannot be programmed any more; it goes on forwarding by what it holds. */
  void switchDown(String switchId, long atNanos);

  /**
   * A switch cannot be programmed although it is connected to the runtime, because another
   * controller is its master; or this is over. Comes after {@link #switchDown} or without it, and
   * ends before {@link #switchUp}.
   */
  default void switchBarred(String switchId, boolean barred, long atNanos) {}

  /**
   * The address of the controller that is a switch's master, which the runtime has found out since
   * {@link #switchBarred}; sent again and again.
   */
  default void otherMaster(String switchId, String address) {}

  /**
   * A switch wants to connect with the datapath id of one that is connected, and is refused; sent
   * each time it tries.
   *
   * @param used the address of the switch that is connected, which stays
   * @param refused the address of the other
   */
  default void duplicateSwitch(String switchId, String used, String refused, long atNanos) {}

  /**
   * How a port is configured; sent before {@link #portChanged} whenever that is news, and for every
   * port with settings after {@link #switchUp}.
   *
   * @param withheld whether nothing but {@link PortSettings#isRestricted} keeps it from being up
   */
  default void portSettings(
      String switchId, int port, PortSettings settings, boolean withheld, long atNanos) {}

  /**
   * A port appeared, changed or went; sent for every port after {@link #switchUp}.
   *
   * @param up whether it can carry packets: present, enabled, with its link up, and allowed to
   *     forward and to receive ({@link PortSettings#isRestricted})
   * @param speedBps as the switch claims; 0 where it claims nothing
   */
  void portChanged(String switchId, int port, boolean up, long speedBps, long atNanos);

  /** All ports have been reported since {@link #switchUp}: the switch has no others. */
  default void portsComplete(String switchId, long atNanos) {}

  /**
   * A round of probes has been sent out of every port that is up, and every probe of the rounds
   * before that arrived has been reported. Links that no probe passes for some rounds are lost;
   * rounds are counted and not seconds, so that a pause of the process loses none.
   *
   * @param switchIds the switches for which the round counts: the others may have stood still
   */
  default void probeRoundPassed(Set<String> switchIds, long atNanos) {}

  /**
   * A probe sent from one port arrived at another: there is a link. Known until {@link #linkLost}
   * or until one of the ports goes down.
   */
  void linkSeen(String fromSwitch, int fromPort, String toSwitch, int toPort, long atNanos);

  /** Probes stopped arriving although both ports are up. */
  void linkLost(String fromSwitch, int fromPort, String toSwitch, int toPort, long atNanos);

  /**
   * A switch reports that it no longer holds a rule, whoever removed it. A runtime without such
   * reports leaves them to the audit.
   */
  default void ruleRemoved(String switchId, FlowRule rule, long atNanos) {}

  /**
   * Another than the engine has changed rules of a switch, its own or others'. A runtime without
   * such reports leaves them to the audit.
   */
  default void rulesChanged(String switchId, long atNanos) {}

  /** A packet came to the controller: ARP, or IPv4 to a host not known yet. */
  void packetIn(String switchId, int inPort, byte[] frame, long atNanos);

  /**
   * Packets came to the controller and were dropped, as their port or their switch sent too many.
   *
   * @param count at least 1
   */
  default void packetsDropped(String switchId, int inPort, long count) {}
}
