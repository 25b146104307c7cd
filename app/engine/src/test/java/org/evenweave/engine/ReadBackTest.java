package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.evenweave.engine.audit.ReadBack;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.status.EngineView;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.verification.Violation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReadBackTest extends EngineFixture {
  private static final String SPINE = "s2-1";

  private EngineView view;
  private final Map<String, SwitchTables> tables = new TreeMap<>();

  @BeforeEach
  void readAll() {
    start(Fabrics.figure32(), 61);
    view = engine.view();
    tables.putAll(view.installed());
  }

  private List<Violation> violations(Map<String, String> failures) {
    return new ReadBack(tables, failures).violations(view.desired(), view.installed());
  }

  @Test
  void aSwitchThatCouldNotBeReadCountsAsItWasLast() {
    tables.remove(SPINE);
    assertEquals(List.of(), violations(Map.of(SPINE, "no answer within 5 s")));
  }

  /** The slow fourth uplink of s1-0 is in no group. */
  @Test
  void aPortThatIsLeftOutIsNoViolationUnlessItIsTheLastWay() {
    Fabric even = Fabrics.figure32();
    start(even.withCapacityBps(linkNamed(even, "s1-0/4-s2-2/1"), 10_000_000L), 61);
    assertEquals(1, group("s1-0", "s1-2").leftOut().length);
    SwitchTables ofAll = engine.view().installed().get("s1-0");
    view = engine.view();
    tables.putAll(view.installed());
    assertEquals(List.of(), violations(Map.of()));
    for (int link = 0; link < 3; link++) {
      network.cut(link); // Those of the ports 1 to 3.
    }
    loop.runFor(SECOND_NANOS);
    view = engine.view();
    tables.putAll(view.installed());
    assertEquals(List.of(), violations(Map.of()));
    tables.put("s1-0", ofAll);
    assertFalse(violations(Map.of()).isEmpty());
  }

  @Test
  void aSwitchWhoseTablesAreEmptyIsABlackHole() {
    tables.put(SPINE, SwitchTables.EMPTY);
    assertFalse(violations(Map.of()).isEmpty());
  }
}
