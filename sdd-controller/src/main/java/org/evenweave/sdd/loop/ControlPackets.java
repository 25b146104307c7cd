package org.evenweave.sdd.loop;

import org.evenweave.sdd.schedule.QueueControl;
import org.evenweave.sdd.session.Directory;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.Sessions;

/**
 * STARTs and STOPs of tight coupling: all commands for a host go in one control packet, sent by
 * {@link #flush}.
 */
final class ControlPackets implements QueueControl {
  private final Sessions sessions;
  private final long guardNs;
  private final boolean[] commanded;
  private final Directory directory;
  private long untilNs;

  /**
   * @param guardNs hosts whose clocks are further off get no packets: matchings may name them
   *     although they have no demand
   */
  ControlPackets(Sessions sessions, long guardNs, Directory directory) {
    this.sessions = sessions;
    this.guardNs = guardNs;
    this.directory = directory;
    this.commanded = new boolean[directory.count()];
  }

  /** When queues that are started from now on close by themselves, should the STOP be lost. */
  void until(long timeNs) {
    untilNs = timeNs;
  }

  /** Starts all queues to a destination; whose packets come first, their priorities decide. */
  @Override
  public void start(int host, int destination) {
    HostSession session = commanded(host);
    for (int c = 0; session != null && c < directory.circuitClasses(); c++) {
      session.start(directory.queueTo(destination, c), untilNs);
    }
  }

  @Override
  public void stop(int host, int destination) {
    HostSession session = commanded(host);
    for (int c = 0; session != null && c < directory.circuitClasses(); c++) {
      session.stop(directory.queueTo(destination, c));
    }
  }

  /** The host's session, which the next {@link #flush} sends its packet; null if it gets none. */
  private HostSession commanded(int host) {
    HostSession session = sessions.host(host);
    if (session == null || !session.keepsTime(guardNs)) {
      return null;
    }
    commanded[host] = true;
    return session;
  }

  /** Sends each commanded host its packet. */
  void flush(long period, long nowNs) {
    for (int host = 0; host < commanded.length; host++) {
      if (commanded[host]) {
        commanded[host] = false;
        HostSession session = sessions.host(host);
        if (session != null) {
          session.flush(period, nowNs);
        }
      }
    }
  }
}
