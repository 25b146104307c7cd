package org.evenweave.sdd.loop;

import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.fastpass.LooseTdma;
import org.evenweave.sdd.protocol.SlotBatch;
import org.evenweave.sdd.schedule.SlotControl;
import org.evenweave.sdd.session.CircuitSession;
import org.evenweave.sdd.session.Directory;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.Sessions;
import org.evenweave.sdd.session.SharedClock;

/**
 * The loose loop, as in FastPass (Tewari 2015, section 5.4.2): each host gets its week's slots with
 * start and end times in one batch, and follows them by its own clock.
 */
final class LooseCoupling implements Coupling {
  private final Sessions sessions;
  private final SharedClock clock;
  private final long guardNs;
  private final CircuitOrders circuits;
  private final Directory directory;
  private final Batches batches = new Batches();
  private final LooseTdma recipe = new LooseTdma(batches);

  LooseCoupling(SddConfig config, Sessions sessions) {
    this.sessions = sessions;
    this.clock = config.clock();
    this.guardNs = config.guardNs();
    this.circuits = new CircuitOrders(config);
    this.directory = config.directory();
  }

  /** One message for a host and week, whatever the number of slots. */
  private final class Batches implements SlotControl {
    private final SlotBatch slots = new SlotBatch();
    private long period;

    @Override
    public void slot(int host, int destination, long startNs, long endNs) {
      for (int c = 0; c < directory.circuitClasses(); c++) {
        slots.add(directory.queueTo(destination, c), startNs, endNs);
      }
    }

    @Override
    public void complete(int number) {
      HostSession host = sessions.host(number);
      if (slots.count() > 0 && host != null && host.keepsTime(guardNs)) {
        host.setSchedule(period, slots)
            .whenComplete(
                (done, failure) -> {
                  if (failure != null && host.isUp()) {
                    host.log().warn("slots were refused: {}", failure.getMessage());
                  }
                });
      }
      slots.clear();
    }
  }

  @Override
  public boolean announce(Week week, CircuitSession circuitSwitch) {
    if (circuitSwitch != null) {
      circuits.order(week.schedule(), week.startNs(), 0, circuitSwitch);
    }
    batches.period = week.period();
    recipe.send(week.schedule(), week.startNs());
    week.setBusy(false);
    return clock.nowNs() < week.startNs();
  }

  @Override
  public void close() {}
}
