package org.evenweave.sdd.loop;

import org.evenweave.sdd.session.HostSession;

/** Logs hosts whose clock differs from this controller's. Not thread-safe. */
final class ClockWatch {
  private static final double NS_IN_A_MILLISECOND = 1e6;

  private final long guardNs;

  /** Of each host, the session in which its clock is another one. */
  private final HostSession[] differsIn;

  /**
   * @param guardNs the longest error that does no harm
   */
  ClockWatch(int hosts, long guardNs) {
    this.guardNs = guardNs;
    this.differsIn = new HostSession[hosts];
  }

  /** Whether the host's clock agrees with this controller's; logs each change. */
  boolean isShared(HostSession host) {
    boolean isShared = host.sharesClock(guardNs);
    boolean isNew = isShared == (differsIn[host.number()] == host);
    if (isNew && isShared) {
      host.log().info("{}: its clock and this controller's agree again", host.name());
    } else if (isNew) {
      long aheadNs = host.clockDifferenceNs();
      host.log()
          .warn(
              "{}: its clock is {} ms {} this controller's, and may be off by {}: it gets no slots, and"
                  + " falls back; check both clocks",
              host.name(),
              Math.abs((double) aheadNs) / NS_IN_A_MILLISECOND,
              aheadNs > 0 ? "ahead of" : "behind",
              guardNs / NS_IN_A_MILLISECOND);
    }
    differsIn[host.number()] = isShared ? null : host;
    return isShared;
  }
}
