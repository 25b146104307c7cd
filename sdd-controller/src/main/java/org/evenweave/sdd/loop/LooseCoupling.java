package org.evenweave.sdd.loop;

import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.protocol.SlotBatch;
import org.evenweave.sdd.session.CircuitSession;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.Sessions;
import org.evenweave.sdd.session.SharedClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loose loop, as in FastPass (Tewari 2015, section 5.4.2): each host gets its week's slots with
 * start and end times in one batch, and follows them by its own clock.
 */
final class LooseCoupling implements Coupling {
  private static final Logger LOG = LoggerFactory.getLogger(LooseCoupling.class);

  private final Sessions sessions;
  private final SharedClock clock;
  private final long guardNs;
  private final CircuitOrders circuits;
  private final SlotBatch slots = new SlotBatch();

  LooseCoupling(SddConfig config, Sessions sessions) {
    this.sessions = sessions;
    this.clock = config.clock();
    this.guardNs = config.guardNs();
    this.circuits = new CircuitOrders(config);
  }

  @Override
  public boolean announce(Week week) {
    CircuitSession circuitSwitch = sessions.circuitSwitch();
    if (circuitSwitch != null) {
      circuits.order(week, circuitSwitch);
    }
    for (int source = 0; source < week.schedule().hosts(); source++) {
      HostSession host = sessions.host(source);
      if (host != null && host.keepsTime(guardNs)) {
        send(week, host);
      }
    }
    week.setBusy(false);
    return clock.nowNs() < week.startNs();
  }

  private void send(Week week, HostSession host) {
    slots.clear();
    week.schedule().visitSlots(host.number(), week.startNs(), slots::add);
    if (slots.count() > 0) {
      host.setSchedule(week.period(), slots)
          .whenComplete(
              (done, failure) -> {
                if (failure != null && host.isUp()) {
                  LOG.warn("slots were refused: {}", failure.getMessage());
                }
              });
    }
  }

  @Override
  public void close() {}
}
