package org.evenweave.engine.status;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class FabricStatusTest {
  private static final String CHANGE = "another configuration is being put into force";
  private static final String DOWN = "link s1-0/1-s2-0/1 is down";

  @Test
  void changesThatFollowEachOtherAreOneReason() {
    FabricStatus status = FabricStatus.of(List.of(DOWN), List.of(), MissingParts.none(), List.of());
    for (int change = 0; change < 2 * FabricStatus.MOST_REASONS; change++) {
      status = status.during(CHANGE);
    }
    assertEquals(List.of(CHANGE, DOWN), status.reasons());
    assertEquals(0, status.moreReasons());
  }
}
