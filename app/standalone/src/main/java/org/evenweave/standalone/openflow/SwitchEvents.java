package org.evenweave.standalone.openflow;

import java.util.List;
import org.evenweave.engine.port.FlowRule;

/**
 * Receives the reports of a switch's channel. Calls about one connection come in order, on its
 * event loop, and must not block; times are {@link System#nanoTime} of the arrival.
 */
interface SwitchEvents {
  /** The handshake is done. The first call about a connection. */
  void up(SwitchConnection connection, List<PortDescription> ports, long atNanos);

  /** A port appeared, changed or went (then it is not up). */
  void port(SwitchConnection connection, PortDescription port, long atNanos);

  void packetIn(SwitchConnection connection, int inPort, byte[] frame, long atNanos);

  /** The switch no longer holds a rule of the engine's; anyone may have removed it. */
  void ruleRemoved(SwitchConnection connection, FlowRule rule, long atNanos);

  /** Another than this controller has changed rules of the switch, whosever they are. */
  void rulesChanged(SwitchConnection connection, long atNanos);

  /**
   * Another controller is the switch's master, so that it cannot be programmed; or this is over.
   * Comes before {@link #up}, or after {@link #down}.
   */
  void barred(SwitchConnection connection, boolean barred, long atNanos);

  /** A connection is refused because another one, which answers, has the same datapath id. */
  void duplicate(SwitchConnection used, SwitchConnection refused, long atNanos);

  /** The connection is gone, or the switch has another master; none comes if it was not up. */
  void down(SwitchConnection connection, long atNanos);
}
