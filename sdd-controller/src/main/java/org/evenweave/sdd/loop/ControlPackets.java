package org.evenweave.sdd.loop;

import org.evenweave.sdd.schedule.SddApi;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.Sessions;

/**
 * The SDD API for recipes of tight coupling: the constant TRUE is a START, FALSE a STOP, and all
 * commands for a host go in one control packet.
 */
final class ControlPackets implements SddApi {
  private final Sessions sessions;
  private final long guardNs;
  private final boolean[] commanded;
  private long untilNs;

  /**
   * @param guardNs hosts whose clocks are further off get no packets: matchings may name them
   *     although they have no demand
   */
  ControlPackets(Sessions sessions, long guardNs, int hosts) {
    this.sessions = sessions;
    this.guardNs = guardNs;
    this.commanded = new boolean[hosts];
  }

  /** When queues that are started from now on close by themselves, should the STOP be lost. */
  void until(long timeNs) {
    untilNs = timeNs;
  }

  @Override
  public void addDequeueCondition(int host, int queue, String condition) {
    HostSession session = sessions.host(host);
    if (session == null || !session.keepsTime(guardNs)) {
      return;
    }
    if (condition.equals("TRUE")) {
      session.start(queue, untilNs);
    } else if (condition.equals("FALSE")) {
      session.stop(queue);
    } else {
      throw new IllegalArgumentException("no START or STOP: " + condition);
    }
    commanded[host] = true;
  }

  @Override
  public void openQueue(int host, int queue, NextFlow nextFlow) {
    throw new UnsupportedOperationException("control packets open no queues");
  }

  @Override
  public void removeDequeueCondition(int host, int queue, String condition) {
    throw new UnsupportedOperationException("control packets replace conditions");
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
