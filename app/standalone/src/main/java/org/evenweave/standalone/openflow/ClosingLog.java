package org.evenweave.standalone.openflow;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.evenweave.engine.packets.KeyedLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs why connections were closed. Anyone who reaches the port can open connections, so those that
 * never became a switch's get one line for each remote host in {@link #PERIOD_NANOS}, with the
 * number of lines it stands for. Safe for many threads.
 */
final class ClosingLog {
  private static final long PERIOD_NANOS = 10_000_000_000L;

  /** Hosts with a line of their own in one period. */
  private static final int MAX_HOSTS = 64;

  private static final Logger LOG = LoggerFactory.getLogger(ClosingLog.class);

  private final KeyedLimit<String> strays = new KeyedLimit<>(PERIOD_NANOS, MAX_HOSTS);

  /** A switch's connection was closed. */
  void ofSwitch(String name, String why) {
    LOG.warn("{}: connection closed: {}", name, why);
  }

  /** A connection was closed that was not used for a switch. */
  void ofOther(String name, SocketAddress from, String why) {
    long heldBack = strays.pass(host(from), System.nanoTime());
    if (heldBack == 0) {
      LOG.warn("{}: connection closed: {}", name, why);
    } else if (heldBack > 0) {
      LOG.warn(
          "{}: connection closed: {} (and {} more from this host since the last line)",
          name,
          why,
          heldBack);
    }
  }

  /** The host of an address, without its port, which differs with every connection. */
  static String host(SocketAddress address) {
    return address instanceof InetSocketAddress
        ? ((InetSocketAddress) address).getHostString()
        : String.valueOf(address);
  }
}
