package org.evenweave.tls;

import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The connections of a listener whose other ends have proved nothing yet, or are idle. When there
 * are too many, one of the host with the most of them goes, the oldest: who opens many connections
 * closes its own, and a host with one keeps it as long as another host has two.
 *
 * <p>An IPv6 host is known by the first 64 bits of its address, since it chooses the others (RFC
 * 8981). Thread-safe.
 *
 * @param <C> a connection, compared by identity or as its equals says
 */
public final class WaitingConnections<C> {
  private final Map<C, Object> hosts = new HashMap<>();

  /** By host, the oldest connection first; those of one host together. */
  private final Map<Object, Map<C, Boolean>> connections = new LinkedHashMap<>();

  /**
   * A connection waits, behind all others.
   *
   * @param from where it comes from
   */
  public synchronized void add(C connection, SocketAddress from) {
    Object host = RemoteHost.of(from);
    if (hosts.putIfAbsent(connection, host) == null) {
      connections.computeIfAbsent(host, any -> new LinkedHashMap<>()).put(connection, true);
    }
  }

  /** A connection has closed, or waits no longer; nothing happens if it does not wait. */
  public synchronized void remove(C connection) {
    Object host = hosts.remove(connection);
    if (host != null) {
      Map<C, Boolean> ofHost = connections.get(host);
      ofHost.remove(connection);
      if (ofHost.isEmpty()) {
        connections.remove(host);
      }
    }
  }

  /** How many wait. */
  public synchronized int size() {
    return hosts.size();
  }

  /** Removes the one to be closed when there are too many; empty if none waits. */
  public synchronized Optional<C> takeVictim() {
    Map<C, Boolean> most = Map.of();
    for (Map<C, Boolean> ofHost : connections.values()) {
      if (ofHost.size() > most.size()) {
        most = ofHost;
      }
    }
    Iterator<C> oldest = most.keySet().iterator();
    if (!oldest.hasNext()) {
      return Optional.empty();
    }
    C victim = oldest.next();
    remove(victim);
    return Optional.of(victim);
  }
}
