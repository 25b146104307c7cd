package org.evenweave.sdd.policy;

import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.evenweave.sdd.protocol.QueueConfig;
import org.evenweave.sdd.protocol.wire.Discipline;
import org.evenweave.sdd.schedule.SddApi;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.Reply;

/**
 * The SDD API over the hosts' sessions. Commands to a host without a session are dropped; refusals
 * are logged.
 */
public final class SessionApi implements SddApi {
  private final IntFunction<HostSession> sessions;
  private final QueueConfig queues;

  /**
   * @param sessions each host's, by its number; null for one that is not connected
   * @param queues how those are that it opens, except for which of their flows sends next
   */
  public SessionApi(IntFunction<HostSession> sessions, QueueConfig queues) {
    this.sessions = sessions;
    this.queues = queues;
  }

  @Override
  public void openQueue(int host, int queue, NextFlow nextFlow) {
    HostSession session = sessions.apply(host);
    if (session != null) {
      Discipline discipline = Discipline.valueOf(nextFlow.name());
      note(session, session.createQueue(queue, queues.discipline(discipline)));
    }
  }

  @Override
  public void addDequeueCondition(int host, int queue, String condition) {
    HostSession session = sessions.apply(host);
    if (session != null) {
      note(session, session.addDequeueCondition(queue, condition));
    }
  }

  @Override
  public void removeDequeueCondition(int host, int queue, String condition) {
    HostSession session = sessions.apply(host);
    if (session != null) {
      note(session, session.removeDequeueCondition(queue, condition));
    }
  }

  private static void note(HostSession session, CompletableFuture<Reply> request) {
    request.whenComplete(
        (done, failure) -> {
          if (failure != null && session.isUp()) {
            session.log().warn("a recipe's command was refused: {}", failure.getMessage());
          }
        });
  }
}
