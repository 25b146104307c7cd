package org.evenweave.sdd.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultLogTest {
  private final List<String> lines = new ArrayList<>();
  private final List<Throwable> traces = new ArrayList<>();
  private long nowNs = -5;
  private final FaultLog faults =
      new FaultLog(
          (line, fault) -> {
            lines.add(line);
            traces.add(fault);
          },
          () -> nowNs);

  @Test
  void aCauseIsLoggedOnceAndThenAsALineAMinute() {
    RuntimeException fault = new IllegalStateException("x");
    for (int i = 0; i < 1000; i++) {
      faults.report("no week", fault);
    }
    assertEquals(List.of("no week"), lines);
    assertNotNull(traces.get(0));
    nowNs += FaultLog.REPEAT_NS;
    faults.report("no week", fault);
    faults.report("no week", fault);
    assertEquals(2, lines.size());
    assertTrue(
        lines.get(1).startsWith("no week: java.lang.IllegalStateException at "), lines.get(1));
    assertTrue(lines.get(1).endsWith("1000 more since last logged"), lines.get(1));
    assertNull(traces.get(1));
  }

  @Test
  void anotherCauseIsLoggedAtOnceUntilThereAreMany() {
    for (int i = 0; i < 100; i++) {
      RuntimeException fault = new IllegalStateException();
      fault.setStackTrace(new StackTraceElement[] {new StackTraceElement("C", "m", "C.java", i)});
      faults.report("no week", fault);
    }
    assertEquals(FaultLog.MAX_CAUSES + 1, lines.size());
    RuntimeException withoutTrace = new IllegalStateException();
    withoutTrace.setStackTrace(new StackTraceElement[0]);
    faults.report("no week", withoutTrace);
    assertEquals(FaultLog.MAX_CAUSES + 1, lines.size());
  }
}
