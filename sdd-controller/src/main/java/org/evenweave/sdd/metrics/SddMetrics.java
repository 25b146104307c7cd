package org.evenweave.sdd.metrics;

import java.util.List;
import org.evenweave.metrics.Family;
import org.evenweave.metrics.Scrape;
import org.evenweave.metrics.Source;
import org.evenweave.sdd.loop.LateTotals;
import org.evenweave.sdd.loop.LoopState;
import org.evenweave.sdd.loop.LoopTotals;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.session.CircuitSession;
import org.evenweave.sdd.session.CircuitTotals;
import org.evenweave.sdd.session.Controllers;
import org.evenweave.sdd.session.HostClock;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.QueueDemand;

/**
 * An SDD controller's metrics. A scrape reads the loop's latest state and what hosts have reported;
 * it asks no host, and waits for nothing. Series are per host at most, never per pair or queue.
 */
public final class SddMetrics implements Source {
  private static final double NANOS_PER_SECOND = 1e9;

  private final SddController controller;

  public SddMetrics(SddController controller) {
    this.controller = controller;
  }

  @Override
  public List<Family> families() {
    return SddFamilies.ALL;
  }

  @Override
  public void collect(Scrape scrape) {
    scrape.set(SddFamilies.LEADS, controller.leadership().leads());
    scrape.set(SddFamilies.HOSTS, controller.directory().count());
    scrape.set(SddFamilies.CONNECTED, controller.sessions().connected());
    CircuitSession circuitSwitch = controller.sessions().circuitSwitch();
    scrape.set(SddFamilies.CIRCUIT_SWITCH, circuitSwitch != null);
    if (circuitSwitch != null) {
      circuits(circuitSwitch.totals(), scrape);
    }
    scrape.set(SddFamilies.POLICY, controller.policy().current().version());
    loop(controller.state(), scrape);
    late(controller.late(), scrape);
    for (int number = 0; number < controller.directory().count(); number++) {
      HostSession host = controller.sessions().host(number);
      if (host != null) {
        host(host, scrape);
      }
    }
    List<String> edges = controller.edges().names();
    scrape.set(SddFamilies.EDGES, edges.size());
    scrape.set(
        SddFamilies.EDGES_CONNECTED,
        edges.stream().filter(name -> controller.edges().session(name) != null).count());
    scrape.set(
        SddFamilies.PEERS,
        controller.controllers().states().stream().filter(Controllers.State::isLinked).count());
  }

  private static void loop(LoopState state, Scrape scrape) {
    LoopTotals totals = state.totals();
    scrape.set(SddFamilies.PERIODS, totals.periods());
    scrape.set(SddFamilies.SKIPPED, totals.skippedPeriods());
    scrape.set(SddFamilies.LATE_SCHEDULES, totals.lateWeeks());
    scrape.set(SddFamilies.LAST_PLAN, seconds(totals.lastPlanNs()));
    scrape.set(SddFamilies.LONGEST_PLAN, seconds(totals.longestPlanNs()));
    scrape.set(SddFamilies.DEMAND, state.demand().total());
  }

  private static void late(LateTotals late, Scrape scrape) {
    scrape.set(SddFamilies.UNSENT_STARTS, late.days());
    scrape.set(SddFamilies.LATE_PAIRS, late.pairs());
    scrape.set(SddFamilies.SECOND_CHANCES, late.secondChances());
    scrape.set(SddFamilies.LOST, seconds(late.lostNs()));
    scrape.set(SddFamilies.REGAINED, seconds(late.regainedNs()));
  }

  private static void circuits(CircuitTotals totals, Scrape scrape) {
    long inNight = 0;
    long outOfSlot = 0;
    long other = 0;
    for (CircuitTotals.Port port : totals.byPort().values()) {
      inNight += port.droppedInNight();
      outOfSlot += port.droppedOutOfSlot();
      other += port.droppedOther();
    }
    scrape.set(SddFamilies.CONFIGURATIONS, totals.configurations());
    scrape.set(SddFamilies.LATE_CONFIGURATIONS, totals.lateConfigurations());
    scrape.set(SddFamilies.CIRCUIT_DROPS, inNight, "night");
    scrape.set(SddFamilies.CIRCUIT_DROPS, outOfSlot, "out-of-slot");
    scrape.set(SddFamilies.CIRCUIT_DROPS, other, "other");
  }

  private void host(HostSession host, Scrape scrape) {
    HostClock clock = host.clock();
    if (clock != null) {
      scrape.set(SddFamilies.OFFSET, seconds(clock.offsetNs()), host.name());
      scrape.set(
          SddFamilies.CLOCK_GOOD, host.keepsTime(controller.config().guardNs()), host.name());
    }
    QueueDemand demand = host.demand();
    if (demand != null) {
      long queued = 0;
      for (int row = 0; row < demand.count(); row++) {
        queued += demand.queuedBytes(row);
      }
      scrape.set(SddFamilies.QUEUED, queued, host.name());
      scrape.set(SddFamilies.LOST_DATAGRAMS, demand.datagramsLost(), host.name());
    }
    scrape.set(SddFamilies.UNSENT_DATAGRAMS, host.datagramsUnsent(), host.name());
    scrape.set(SddFamilies.OUT_OF_SLOT, host.misses().packetsOutOfSlot(), host.name());
  }

  private static double seconds(long nanos) {
    return nanos / NANOS_PER_SECOND;
  }
}
