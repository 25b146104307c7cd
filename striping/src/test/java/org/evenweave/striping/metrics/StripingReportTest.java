package org.evenweave.striping.metrics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.evenweave.striping.algorithm.StripingKind;
import org.evenweave.striping.plan.StripingParameters;
import org.junit.jupiter.api.Test;

class StripingReportTest {

  @Test
  void reportHoldsThePlanAndItsThroughput() {
    StripingReport report =
        StripingReport.of(StripingKind.labelled("group"), StripingParameters.of(6, 6, 8, 8));
    assertArrayEquals(new int[] {2, 2, 1, 1, 1, 1}, report.plan().matrix()[0]);
    assertEquals(8, report.throughput().maxLinks());
    assertEquals(0, report.repairedEntries());
  }

  @Test
  void comparisonHasARowPerKindWithTheRepairsItNeeded() {
    StripingParameters parameters = StripingParameters.of(2, 4, 6, 3);
    List<StripingReport> rows = StripingReport.comparison(parameters);
    assertEquals(2, rows.size());
    assertEquals(StripingKind.ROTATION, rows.get(0).kind());
    assertEquals(2, rows.get(0).repairedEntries());
    assertEquals(StripingKind.GROUP, rows.get(1).kind());
    assertEquals(0, rows.get(1).repairedEntries());
    assertEquals(4, rows.get(1).throughput().minLinks());
    assertEquals(StripingKind.GROUP.plan(parameters), rows.get(1).plan());
  }
}
