package org.evenweave.sdd.loop;

import static org.evenweave.sdd.loop.LiarsBed.HONEST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.evenweave.sdd.config.SddConfigException;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.session.Leadership;
import org.evenweave.sdd.session.Sessions;

/**
 * Among liars the honest ones keep their sessions, one controller leads, what is sent to an honest
 * host goes to it, what it wants to send is planned for, and the loose loop tells it each slot of
 * the plan. What a step does is a number, so that a failing run shrinks to the few that matter.
 */
class LyingClientsTest {
  private static final long PERIOD_NS = 10_000_000;
  private static final long SILENCE_NS = 3_000_000_000L;

  /** More than a circuit carries in the shortest slot. */
  private static final long DEMAND_BYTES = 40_000;

  /**
   * The leader plans a week and tells it, as its loop does every period: each honest host is told
   * all of its slots, and the circuit switch all days.
   */
  private static void assertAWeekIsTold(LiarsBed bed) {
    Sessions sessions = bed.controllers.get(0).sessions();
    Observed observed = bed.config.nothingObserved();
    Week week = bed.plan(1, bed.nowNs() + PERIOD_NS, bed.estimator(observed), observed);
    new LooseCoupling(bed.config, sessions).announce(week, sessions.circuitSwitch());
    bed.pass(0);
    int slots = 0;
    for (int number = 0; number < HONEST; number++) {
      List<List<Long>> planned = new ArrayList<>();
      week.schedule()
          .visitSlots(
              number,
              week.startNs(),
              (destination, startNs, endNs) ->
                  planned.add(
                      List.of((long) bed.directory.queueTo(destination, 0), startNs, endNs)));
      assertEquals(planned, bed.honest.get(number).takeSlots(), "h" + number);
      slots += planned.size();
    }
    assertTrue(slots > 0, "honest hosts have demand");
    assertEquals(week.schedule().days(), bed.honest.get(HONEST).takeConfigurations().size());
  }

  @Property(tries = 300)
  void liarsHarmNobodyButThemselves(@ForAll @Size(max = 150) List<Integer> steps)
      throws SddConfigException {
    try (LiarsBed bed = new LiarsBed("loose", PERIOD_NS, DEMAND_BYTES)) {
      bed.assertNothingHasHappened();
      for (int what : steps) {
        long lastNs = bed.nowNs();
        bed.step(what);
        // Honest ones are never silent for so long that they have no say.
        assertTrue(bed.nowNs() - lastNs < SILENCE_NS);
        bed.assertNothingHasHappened();
      }
      bed.turn();
      bed.assertDemandIsPlannedFor();
      assertAWeekIsTold(bed);
      bed.assertNothingHasHappened();
    }
  }

  /**
   * The leader ends in the midst of it: the other one takes over, and all honest ones follow it.
   */
  @Property(tries = 100)
  void amongLiarsTheNextControllerTakesOver(@ForAll @Size(max = 60) List<Integer> steps)
      throws SddConfigException {
    try (LiarsBed bed = new LiarsBed("loose", PERIOD_NS, DEMAND_BYTES)) {
      steps.forEach(bed::step);
      Leadership next = bed.controllers.get(1).leadership();
      bed.controllers.get(0).leadership().end();
      bed.controllers.get(0).close();
      for (int turn = 0; turn < 40; turn++) {
        bed.turn();
      }
      assertTrue(next.leads());
      bed.honest.forEach(client -> assertEquals(1, client.followed()));
      assertTrue(
          next.generation() <= bed.nowNs() + Leadership.PATIENCE_NS, "a generation of the future");
    }
  }
}
