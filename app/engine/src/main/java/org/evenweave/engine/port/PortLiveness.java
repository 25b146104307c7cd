package org.evenweave.engine.port;

import java.util.HashSet;
import java.util.Set;

/**
 * The ports of a switch that are no longer live although their link is up: so a switch reports the
 * results of its own failure detection, such as BFD on the port (OpenFlow 1.3.5, sections 6.5 and
 * 7.2.1, {@code OFPPS_LIVE}). Buckets that watch such a port are skipped by the switch itself.
 *
 * <p>Many switches never say that a port is live, so only one that has been live can be dead. Not
 * thread-safe.
 */
public final class PortLiveness {
  private final Set<Integer> wereLive = new HashSet<>();

  /**
   * A port's state was reported.
   *
   * @param live whether {@code OFPPS_LIVE} is set
   * @return whether the port is to be taken for down although its link may be up
   */
  public boolean isDead(int port, boolean live) {
    if (live) {
      wereLive.add(port);
    }
    return !live && wereLive.contains(port);
  }

  /** The port is gone; another one may get its number. */
  public void forget(int port) {
    wereLive.remove(port);
  }
}
