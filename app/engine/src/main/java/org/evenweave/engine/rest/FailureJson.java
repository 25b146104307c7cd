package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.evenweave.engine.forwarding.TableUse;
import org.evenweave.engine.whatif.FailureSurvey;
import org.evenweave.wcmp.fabric.Fabric;

/** Writes the survey of single failures in the answer to a what-if. */
final class FailureJson {
  /** Switches named of those that a failure cuts off. */
  private static final int MOST_NAMED = 10;

  private FailureJson() {}

  /**
   * {@code "failures":{"total":24,"next":10,"rows":[{"failed":"s1-0/1-s2-0/1","kind":"link",
   * "slowerPairs":4,"worst":{"from":"s1-0","to":"s1-2","beforeBps":..,"afterBps":..},
   * "fullest":{"switch":"s1-0","entries":256,"table":1024},"oversubscription":1.01,"cutPairs":0,
   * "cutSwitches":[]}]}}.
   */
  static void add(ObjectNode root, FailureSurvey survey, int offset, int limit) {
    ObjectNode failures = root.putObject("failures").put("total", survey.count());
    int from = Math.min(offset, survey.count());
    int to = Math.min(from + limit, survey.count());
    if (to < survey.count()) {
      failures.put("next", to);
    }
    ArrayNode rows = failures.putArray("rows");
    for (int i = from; i < to; i++) {
      add(rows.addObject(), survey.failure(i));
    }
  }

  private static void add(ObjectNode row, FailureSurvey.Failure failure) {
    row.put("failed", failure.name()).put("kind", failure.ofSwitch() ? "switch" : "link");
    if (!failure.problem().isEmpty()) {
      row.put("problem", failure.problem());
      return;
    }
    row.put("slowerPairs", failure.slowerPairs());
    if (failure.hasWorst()) {
      row.putObject("worst")
          .put("from", failure.worstSource())
          .put("to", failure.worstDestination())
          .put("beforeBps", Math.round(failure.worstBeforeBps()))
          .put("afterBps", Math.round(failure.worstAfterBps()));
    }
    TableUse use = failure.use();
    ObjectNode fullest =
        row.putObject("fullest")
            .put("switch", use.fullest())
            .put("entries", use.entries(use.fullest()));
    if (use.table(use.fullest()) != Fabric.UNLIMITED) {
      fullest.put("table", use.table(use.fullest()));
    }
    row.put("oversubscription", use.worstOversubscription()).put("cutPairs", failure.cutPairs());
    ArrayNode cut = row.putArray("cutSwitches");
    failure.cutSwitches().stream().limit(MOST_NAMED).forEach(cut::add);
  }
}
