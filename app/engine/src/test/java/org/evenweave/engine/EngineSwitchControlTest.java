package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.evenweave.engine.events.Event;
import org.evenweave.wcmp.fabric.Fabrics;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Switches that another controller is master of, and switches with others' datapath ids. */
class EngineSwitchControlTest extends EngineFixture {
  private static final String BARRED = "another controller is master of s1-0";
  private static final String DUPLICATE =
      "two switches have the datapath id of s1-0: the one at a:1 is used, the one at b:2 is"
          + " refused";

  @BeforeEach
  void converge() {
    start(Fabrics.figure32(), 1);
    assertConverged();
  }

  private List<String> reasons() {
    return engine.view().status().reasons();
  }

  private List<String> events(Event.Kind kind) {
    return engine.events().since(0).stream()
        .filter(event -> event.kind() == kind)
        .map(Event::subject)
        .collect(Collectors.toList());
  }

  private void bar(boolean barred) {
    network.tell(listener -> listener.switchBarred("s1-0", barred, loop.nanoTime()));
  }

  @Test
  void aSwitchWithAnotherMasterIsNamedAndWhatItForwardsIsLeftAlone() {
    var before = engine.view().installed();
    network.disconnect("s1-0");
    bar(true);
    loop.runFor(2 * SECOND_NANOS);
    assertEquals(List.of(BARRED), reasons());
    assertEquals(List.of(BARRED), events(Event.Kind.OTHER_MASTER));
    assertTrue(events(Event.Kind.LINK_DOWN).isEmpty(), "links of a switch that forwards stay");
    for (String switchId : List.of("s1-1", "s1-2", "s2-0")) {
      assertEquals(before.get(switchId), engine.view().installed().get(switchId), switchId);
    }
    network.tell(listener -> listener.otherMaster("s1-0", "tcp:10.0.0.9:6653"));
    loop.runFor(1);
    assertEquals(List.of("another controller at tcp:10.0.0.9:6653 is master of s1-0"), reasons());
    bar(false);
    network.tell(listener -> listener.otherMaster("s1-0", "tcp:10.0.0.9:6653"));
    network.connect("s1-0");
    loop.runFor(2 * SECOND_NANOS);
    assertConverged();
  }

  @Test
  void aSwitchThatDisconnectsWhileItIsBarredIsMissing() {
    network.disconnect("s1-0");
    bar(true);
    bar(false);
    loop.runFor(2 * SECOND_NANOS);
    assertEquals(List.of("s1-0 is not connected"), reasons());
  }

  private void refuse() {
    network.tell(listener -> listener.duplicateSwitch("s1-0", "a:1", "b:2", loop.nanoTime()));
  }

  @Test
  void aDatapathIdThatTwoSwitchesHaveIsOneEventAndAReasonUntilTheSecondStaysAway() {
    for (int attempt = 0; attempt < 20; attempt++) {
      refuse();
      loop.runFor(8 * SECOND_NANOS);
      assertEquals(List.of(DUPLICATE), reasons(), "attempt " + attempt);
    }
    assertTrue(engine.view().status().confirmed(), "the first is programmed");
    loop.runFor(SwitchControl.DUPLICATE_HOLD_NANOS);
    assertConverged();
    assertEquals(List.of(DUPLICATE), events(Event.Kind.DUPLICATE_DATAPATH));
    refuse();
    loop.runFor(SECOND_NANOS);
    assertEquals(2, events(Event.Kind.DUPLICATE_DATAPATH).size());
  }

  @Test
  void reasonsOfDifferentSourcesStandBesideEachOther() {
    engine.report("bfd", List.of("no BFD"));
    engine.report("configuration", List.of());
    refuse();
    loop.runFor(SECOND_NANOS);
    assertEquals(List.of("no BFD", DUPLICATE), reasons());
    engine.report("bfd", List.of());
    loop.runFor(SECOND_NANOS);
    assertEquals(List.of(DUPLICATE), reasons());
  }
}
