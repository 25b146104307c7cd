package org.evenweave.engine.packets;

import java.util.HashMap;
import java.util.Map;

/**
 * Limits what one switch sends to the controller about its ports, by a token bucket for each port
 * and one for the switch: a port that floods loses its own packets, and leaves room for the
 * others'.
 *
 * <p>Packets are limited in the controller and not by an OpenFlow meter, since a meter cannot tell
 * the ports of a rule apart: it would drop everybody's packets, link probes among them, for one
 * port's flood. Safe for many threads.
 */
public final class PortLimiter {
  /**
   * Packets of hosts (ARP, IPv4 to a host not known yet) from one port in a second, in the long
   * run. A host asks for its gateway every half minute, and the switch itself answers most of that.
   */
  public static final int PORT_RATE = 200;

  /** At once from one port: each of {@code HostTable.MAX_PER_PORT} hosts behind it may begin. */
  public static final int PORT_BURST = 1024;

  public static final int SWITCH_RATE = 10 * PORT_RATE;
  public static final int SWITCH_BURST = 4 * PORT_BURST;

  /**
   * LLDP frames from one port in a second: discovery sends one, and one more now and then, and the
   * engine probes a link by two in two seconds.
   */
  public static final int PROBE_RATE = 10;

  public static final int PROBE_BURST = 20;

  /** Ports with a bucket of their own; further ones share one. */
  private static final int MAX_PORTS = 4096;

  private static final int ALL_OTHER_PORTS = Integer.MIN_VALUE;

  private final int portRate;
  private final int portBurst;
  private final Map<Integer, TokenBucket> ports = new HashMap<>();
  private final TokenBucket all;

  /**
   * @param portRate messages a second about one port, in the long run
   * @param portBurst messages at once about one port
   * @param switchRate messages a second about all ports
   * @param nowNanos the time, on the clock of {@link System#nanoTime}
   */
  public PortLimiter(int portRate, int portBurst, int switchRate, int switchBurst, long nowNanos) {
    this.portRate = portRate;
    this.portBurst = portBurst;
    this.all = new TokenBucket(switchRate, switchBurst, nowNanos);
  }

  /** For packets of hosts. */
  public static PortLimiter forHosts(long nowNanos) {
    return new PortLimiter(PORT_RATE, PORT_BURST, SWITCH_RATE, SWITCH_BURST, nowNanos);
  }

  /** For packets whose time to live is used up, of all ports of a switch. */
  public static PortLimiter forExpired(long nowNanos) {
    return new PortLimiter(SWITCH_RATE, SWITCH_BURST, SWITCH_RATE, SWITCH_BURST, nowNanos);
  }

  /** For probes of links. */
  public static PortLimiter forProbes(long nowNanos) {
    return new PortLimiter(
        PROBE_RATE, PROBE_BURST, PROBE_RATE * MAX_PORTS, PROBE_BURST * MAX_PORTS, nowNanos);
  }

  /** Whether one more message about this port is within the limits. */
  public synchronized boolean admits(int port, long nowNanos) {
    int key = ports.containsKey(port) || ports.size() < MAX_PORTS ? port : ALL_OTHER_PORTS;
    TokenBucket bucket =
        ports.computeIfAbsent(key, any -> new TokenBucket(portRate, portBurst, nowNanos));
    return bucket.take(nowNanos) && all.take(nowNanos);
  }
}
