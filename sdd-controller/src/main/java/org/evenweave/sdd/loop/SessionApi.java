package org.evenweave.sdd.loop;

import java.util.concurrent.CompletableFuture;
import org.evenweave.sdd.protocol.QueueConfig;
import org.evenweave.sdd.protocol.wire.Discipline;
import org.evenweave.sdd.schedule.SddApi;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.Reply;
import org.evenweave.sdd.session.Sessions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SDD API for recipes of loose coupling, rate limits and sharing: commands go through the
 * hosts' sessions. A host without a session gets nothing; refusals are logged.
 */
final class SessionApi implements SddApi {
  private static final Logger LOG = LoggerFactory.getLogger(SessionApi.class);

  private final Sessions sessions;

  SessionApi(Sessions sessions) {
    this.sessions = sessions;
  }

  @Override
  public void openQueue(int host, int queue, NextFlow nextFlow) {
    HostSession session = sessions.host(host);
    if (session != null) {
      Discipline discipline = Discipline.valueOf(nextFlow.name());
      note(session, session.createQueue(queue, QueueConfig.open().discipline(discipline)));
    }
  }

  @Override
  public void addDequeueCondition(int host, int queue, String condition) {
    HostSession session = sessions.host(host);
    if (session != null) {
      note(session, session.addDequeueCondition(queue, condition));
    }
  }

  @Override
  public void removeDequeueCondition(int host, int queue, String condition) {
    HostSession session = sessions.host(host);
    if (session != null) {
      note(session, session.removeDequeueCondition(queue, condition));
    }
  }

  private static void note(HostSession session, CompletableFuture<Reply> request) {
    request.whenComplete(
        (done, failure) -> {
          if (failure != null && session.isUp()) {
            LOG.warn("a recipe's command was refused: {}", failure.getMessage());
          }
        });
  }
}
