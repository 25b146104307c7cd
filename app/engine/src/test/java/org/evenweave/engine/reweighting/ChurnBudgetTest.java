package org.evenweave.engine.reweighting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ChurnBudgetTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void whatWasTakenIsThereAgainAMinuteLater() {
    ChurnBudget budget = new ChurnBudget();
    assertEquals(0.06, budget.take(0.06, 0.1, 0), 1e-12);
    assertEquals(0.04, budget.take(0.5, 0.1, 30 * SECOND), 1e-12);
    assertEquals(0, budget.take(0.5, 0.1, 59 * SECOND), 1e-12);
    assertEquals(0.06, budget.take(0.5, 0.1, 60 * SECOND), 1e-12);
    assertEquals(0.04, budget.take(0.5, 0.1, 90 * SECOND), 1e-12);
  }

  @Test
  void aSmallerBudgetCountsWhatWasTakenOfALarger() {
    ChurnBudget budget = new ChurnBudget();
    assertEquals(0.5, budget.take(0.5, 1, 0), 1e-12);
    assertEquals(0, budget.take(0.5, 0.1, 30 * SECOND), 1e-12);
    assertEquals(0.1, budget.take(0.5, 0.1, 60 * SECOND), 1e-12);
  }

  @Property
  void noMinuteTakesMore(
      @ForAll @Size(50) List<@IntRange(max = 90) Integer> pauses,
      @ForAll @Size(50) List<@IntRange(min = 1, max = 15) Integer> wanted) {
    ChurnBudget budget = new ChurnBudget();
    long[] at = new long[pauses.size()];
    double[] taken = new double[pauses.size()];
    long now = 0;
    for (int i = 0; i < at.length; i++) {
      now += pauses.get(i) * SECOND;
      at[i] = now;
      taken[i] = budget.take(wanted.get(i) / 100.0, 0.1, now);
      double inTheMinute = 0;
      for (int j = i; j >= 0 && at[i] - at[j] < 60 * SECOND; j--) {
        inTheMinute += taken[j];
      }
      assertTrue(inTheMinute <= 0.1 + 1e-9);
    }
  }
}
