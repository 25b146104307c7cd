package org.evenweave.sdd.loop;

import org.evenweave.sdd.protocol.SessionTerms;
import org.evenweave.sdd.protocol.SlotBatch;
import org.evenweave.sdd.session.CircuitSession;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.Sessions;
import org.evenweave.sdd.session.SharedClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loose loop, as in FastPass (Tewari 2015, section 5.4.2): each host gets its week's slots with
 * start and end times in one batch, and looks at the clock itself.
 */
final class LooseCoupling implements Coupling {
  private static final Logger LOG = LoggerFactory.getLogger(LooseCoupling.class);

  private final SessionTerms terms;
  private final Sessions sessions;
  private final SharedClock clock;
  private final CircuitOrders circuits;
  private final SlotBatch slots = new SlotBatch();

  LooseCoupling(SessionTerms terms, Sessions sessions, SharedClock clock, int hosts) {
    this.terms = terms;
    this.sessions = sessions;
    this.clock = clock;
    this.circuits = new CircuitOrders(hosts);
  }

  @Override
  public boolean announce(Week week) {
    CircuitSession circuitSwitch = sessions.circuitSwitch();
    if (circuitSwitch != null) {
      circuits.order(week, circuitSwitch);
    }
    for (int source = 0; source < week.schedule().hosts(); source++) {
      HostSession host = sessions.host(source);
      if (host != null && host.keepsTime(terms.guardNs())) {
        send(week, host);
      }
    }
    week.setBusy(false);
    return clock.nowNs() < week.startNs();
  }

  private void send(Week week, HostSession host) {
    long guardNs = terms.guardNs();
    slots.clear();
    week.schedule()
        .visitSlots(
            host.number(),
            week.startNs(),
            (queue, startNs, endNs) -> {
              if (startNs + guardNs < endNs - guardNs) {
                slots.add(queue, startNs + guardNs, endNs - guardNs);
              }
            });
    if (slots.count() > 0) {
      host.setSchedule(week.period(), slots)
          .whenComplete(
              (done, failure) -> {
                if (failure != null && host.isUp()) {
                  LOG.warn("slots were not taken: {}", failure.getMessage());
                }
              });
    }
  }

  @Override
  public void close() {}
}
