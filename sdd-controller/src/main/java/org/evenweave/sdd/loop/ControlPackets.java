package org.evenweave.sdd.loop;

import java.util.Arrays;
import org.evenweave.sdd.session.Directory;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.Sessions;

/**
 * STARTs and STOPs of tight coupling: all commands for a host go in one control packet, sent by
 * {@link #flush}.
 */
final class ControlPackets implements HostCommands {
  private final Sessions sessions;
  private final long guardNs;

  /** The session that the next {@link #flush} sends a packet; null if it gets none. */
  private final HostSession[] commanded;

  private final boolean[] sent;
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
    this.commanded = new HostSession[directory.count()];
    this.sent = new boolean[directory.count()];
  }

  @Override
  public void until(long timeNs) {
    untilNs = timeNs;
    Arrays.fill(sent, false);
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

  private HostSession commanded(int host) {
    HostSession session = sessions.host(host);
    if (session == null || !session.keepsTime(guardNs)) {
      return null;
    }
    commanded[host] = session;
    return session;
  }

  /** A fault of one host's packet does not keep the others from theirs. */
  @Override
  public void flush(long period, long nowNs) {
    RuntimeException fault = null;
    for (int host = 0; host < commanded.length; host++) {
      HostSession session = commanded[host];
      commanded[host] = null;
      if (session != null) {
        try {
          sent[host] = flush(session, period, nowNs);
        } catch (RuntimeException e) {
          fault = e;
        }
      }
    }
    if (fault != null) {
      throw fault;
    }
  }

  /** Whether the host can hear it: it may have got a newer session since its commands. */
  private boolean flush(HostSession session, long period, long nowNs) {
    long unsent = session.datagramsUnsent();
    session.flush(period, nowNs);
    return session.datagramsUnsent() == unsent && sessions.host(session.number()) == session;
  }

  @Override
  public boolean sent(int host) {
    return sent[host];
  }
}
