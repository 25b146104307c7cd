package org.evenweave.tls;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;

/**
 * Decides which handshake begins next, and when: hosts take turns, so that one with many waiting
 * delays another's by one handshake, and each beginning takes a token. Not thread-safe.
 */
final class HandshakeTurns {
  private final Allowance allowance;

  /** Beginnings by host; the host whose turn is next stands first. */
  private final Map<Object, Queue<Runnable>> waiting = new LinkedHashMap<>();

  HandshakeTurns(int perSecond, int atOnce, long nowNanos) {
    allowance = new Allowance(perSecond, atOnce, nowNanos);
  }

  /** A handshake waits to begin. */
  void add(Object host, Runnable beginning) {
    waiting.computeIfAbsent(host, any -> new ArrayDeque<>()).add(beginning);
  }

  /** A connection has ended; nothing happens if it does not wait. */
  void remove(Object host, Runnable beginning) {
    Queue<Runnable> ofHost = waiting.get(host);
    if (ofHost != null && ofHost.remove(beginning) && ofHost.isEmpty()) {
      waiting.remove(host);
    }
  }

  /** Takes the one that begins now; empty if none waits, or there is no token. */
  Optional<Runnable> next(long nowNanos) {
    Iterator<Map.Entry<Object, Queue<Runnable>>> hosts = waiting.entrySet().iterator();
    if (!hosts.hasNext() || !allowance.take(nowNanos)) {
      return Optional.empty();
    }
    Map.Entry<Object, Queue<Runnable>> first = hosts.next();
    Object host = first.getKey();
    Queue<Runnable> ofHost = first.getValue();
    hosts.remove();
    Runnable beginning = ofHost.remove();
    if (!ofHost.isEmpty()) {
      waiting.put(host, ofHost);
    }
    return Optional.of(beginning);
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** How long until the next token; 0 if there is one. */
  long waitNanos(long nowNanos) {
    return allowance.waitNanos(nowNanos);
  }

  /** A handshake has proved who its other end is; its token is used again. */
  void giveBack() {
    allowance.giveBack();
  }
}
