package org.evenweave.engine.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.evenweave.engine.fake.VirtualLoop;
import org.junit.jupiter.api.Test;

class StatusLogTest {
  private final VirtualLoop loop = new VirtualLoop();
  private final List<String> lines = new ArrayList<>();
  private final StatusLog log = new StatusLog(loop, status -> lines.add(status.toString()));

  private static FabricStatus status(List<String> problems, List<String> pending) {
    return FabricStatus.of(problems, pending, MissingParts.none(), List.of());
  }

  private static FabricStatus degraded(String problem) {
    return status(List.of(problem), List.of());
  }

  private static FabricStatus converging() {
    return status(List.of(), List.of("changes are being confirmed"));
  }

  private static FabricStatus converged() {
    return status(List.of(), List.of());
  }

  @Test
  void aTransitionIsOneLineAndWhatIsUnderWayNone() {
    log.follow(converging());
    log.follow(converged());
    log.follow(converging());
    log.follow(converged());
    loop.runFor(StatusLog.HOLD_NANOS);
    log.follow(converging());
    log.follow(degraded("s1-0 is not connected"));
    log.follow(degraded("s1-0 is not connected"));
    loop.runFor(StatusLog.HOLD_NANOS);
    assertEquals(List.of("converged", "degraded: s1-0 is not connected"), lines);
  }

  @Test
  void aFlappingFabricIsHeldToALineInEachHoldTime() {
    long periodNanos = StatusLog.HOLD_NANOS / 100;
    for (int flap = 0; flap < 1000; flap++) {
      log.follow(flap % 2 == 0 ? degraded("link a/1-b/1 is down") : converged());
      loop.runFor(periodNanos);
    }
    log.follow(degraded("link a/1-b/1 is down"));
    loop.runFor(2 * StatusLog.HOLD_NANOS);
    assertTrue(lines.size() <= 12, lines.toString());
    assertEquals("degraded: link a/1-b/1 is down", lines.get(lines.size() - 1));
  }
}
