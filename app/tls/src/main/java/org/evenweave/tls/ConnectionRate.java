package org.evenweave.tls;

import java.net.SocketAddress;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Limits how many connections a host opens, so that one that opens them without end is refused
 * before anything is set up for it. An IPv6 host is a /64. Memory is bounded: the host that has
 * been quiet for the longest time is forgotten. Thread-safe.
 */
final class ConnectionRate {
  /** What a host may open in a second, in the long run, without authentication. */
  static final int PER_SECOND = 50;

  /** What a host may open at once: all bridges of a machine connect when a controller starts. */
  static final int AT_ONCE = 256;

  private static final int MAX_HOSTS = 4096;

  private final LongSupplier nanoTime;

  /** The one that has opened a connection last stands last. */
  private final Map<Object, Allowance> hosts = new LinkedHashMap<>();

  ConnectionRate() {
    this(System::nanoTime);
  }

  ConnectionRate(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Whether one more connection from here is within the limit. */
  synchronized boolean admits(SocketAddress from) {
    long nowNanos = nanoTime.getAsLong();
    Object host = RemoteHost.of(from);
    Allowance known = hosts.remove(host);
    Allowance allowance = known != null ? known : new Allowance(PER_SECOND, AT_ONCE, nowNanos);
    boolean admitted = allowance.take(nowNanos);
    hosts.put(host, allowance);
    forget(nowNanos);
    return admitted;
  }

  /** A connection that was admitted does not count: its other end has authenticated. */
  synchronized void giveBack(SocketAddress from) {
    Allowance allowance = hosts.get(RemoteHost.of(from));
    if (allowance != null) {
      allowance.giveBack();
    }
  }

  private void forget(long nowNanos) {
    Iterator<Allowance> eldest = hosts.values().iterator();
    while (eldest.hasNext() && (eldest.next().isFull(nowNanos) || hosts.size() > MAX_HOSTS)) {
      eldest.remove();
    }
  }

  /** How many hosts are remembered. */
  synchronized int hosts() {
    return hosts.size();
  }
}
