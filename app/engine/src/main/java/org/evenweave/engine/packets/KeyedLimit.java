package org.evenweave.engine.packets;

import java.util.Iterator;
import java.util.LinkedHashMap;

/**
 * A rate limit of one event per key and period; counts the suppressed events. Memory is bounded:
 * while it holds the maximum of keys, it suppresses the events of all other keys. Safe for many
 * threads.
 *
 * @param <K> what is limited by itself, such as a port
 */
public final class KeyedLimit<K> {
  private final long periodNanos;
  private final int maxKeys;

  /** By time of the last pass, the earliest first. */
  private final LinkedHashMap<K, State> states = new LinkedHashMap<>();

  private static final class State {
    long passedAtNanos;
    long heldBack;
  }

  public KeyedLimit(long periodNanos, int maxKeys) {
    this.periodNanos = periodNanos;
    this.maxKeys = maxKeys;
  }

  /**
   * Asks for a pass.
   *
   * @return how many were held back for this key since its last pass; negative if this one is, too
   */
  public synchronized long pass(K key, long nowNanos) {
    State state = states.get(key);
    if (state != null && nowNanos - state.passedAtNanos < periodNanos) {
      state.heldBack++;
      return -1;
    }
    if (state == null && !makeRoom(nowNanos)) {
      return -1;
    }
    State passed = new State();
    passed.passedAtNanos = nowNanos;
    states.remove(key);
    states.put(key, passed);
    return state == null ? 0 : state.heldBack;
  }

  private boolean makeRoom(long nowNanos) {
    if (states.size() < maxKeys) {
      return true;
    }
    Iterator<State> eldest = states.values().iterator();
    if (nowNanos - eldest.next().passedAtNanos < periodNanos) {
      return false;
    }
    eldest.remove();
    return true;
  }
}
