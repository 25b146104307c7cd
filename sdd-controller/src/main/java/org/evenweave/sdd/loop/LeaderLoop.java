package org.evenweave.sdd.loop;

import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.protocol.SessionTerms;
import org.evenweave.sdd.session.Sessions;
import org.evenweave.sdd.trigger.HeldPairs;

/** The control loop and the delivery of its schedules to hosts, while a controller leads. */
final class LeaderLoop implements AutoCloseable {
  private final TightCoupling tight;
  private final ControlLoop loop;

  /** Does nothing until {@link #start}. */
  LeaderLoop(SddConfig config, SessionTerms terms, Sessions sessions, HeldPairs held) {
    tight = config.loop() == SddConfig.Loop.TIGHT ? new TightCoupling(config, sessions) : null;
    Coupling coupling = tight != null ? tight : new LooseCoupling(config, sessions);
    loop = new ControlLoop(config, terms, sessions, coupling, held);
  }

  void start() {
    loop.start();
  }

  ControlLoop loop() {
    return loop;
  }

  /** What START came too late for; nothing if the loop is loose. */
  LateTotals late() {
    return tight == null ? LateTotals.NONE : tight.late();
  }

  @Override
  public void close() {
    loop.close();
  }
}
