package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.evenweave.engine.config.ConfigUpdate;
import org.evenweave.engine.config.ConfigWriter;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.junit.jupiter.api.Test;

/** A link that came up at a four hundredth of its speed gets no table entry. */
class EngineLeaveOutTest extends EngineFixture {
  private static final long FAST_BPS = 400_000_000_000L;
  private static final long SLOW_BPS = 1_000_000_000L;
  private static final int SPINES = 4;

  /** Port 4 of s1-0 is slow; all other links are fast. */
  private static Fabric fabric(long portFourBps, SwitchTarget target, int entries) {
    FabricBuilder builder = new FabricBuilder();
    builder.addSwitch("s1-0", 1, entries, target).addSwitch("s1-1", 1, entries, target);
    for (int spine = 0; spine < SPINES; spine++) {
      builder.addSwitch("s2-" + spine, 2, Fabric.UNLIMITED);
      long bps = spine == SPINES - 1 ? portFourBps : FAST_BPS;
      builder.addLink("s1-0/" + (spine + 1), "s2-" + spine + "/1", bps);
      builder.addLink("s1-1/" + (spine + 1), "s2-" + spine + "/2", FAST_BPS);
    }
    return builder
        .addSubnet("s1-0", Ipv4Prefix.parse("10.0.0.0/24"))
        .addSubnet("s1-1", Ipv4Prefix.parse("10.0.1.0/24"))
        .build();
  }

  private GroupState uplinks() {
    return group("s1-0", "s1-1");
  }

  private List<String> events(Event.Kind kind) {
    return engine.events().since(0).stream()
        .filter(event -> event.kind() == kind)
        .map(Event::subject)
        .filter(subject -> subject.startsWith("s1-0/"))
        .collect(Collectors.toList());
  }

  private void configure(String patch) {
    engine.change(present -> ConfigUpdate.patched(present, patch));
    loop.runFor(SECOND_NANOS);
    assertConverged();
  }

  @Test
  void theSlowPortIsLeftOutOf256SlotsAndAllOthersAreWithinOnePercent() {
    start(fabric(SLOW_BPS, null, Fabric.UNLIMITED), 1);
    assertConverged();
    assertArrayEquals(new int[] {3}, uplinks().leftOut());
    assertEquals(1.0087, uplinks().oversubscription(), 1e-4);
    assertEquals(1.0 / 1201, uplinks().unusedShare(), 1e-9);
    assertEquals(List.of(1, 2, 3), ports("s1-0"));
    assertEquals(1, events(Event.Kind.PORT_LEFT_OUT).size());
    assertTrue(events(Event.Kind.PORT_LEFT_OUT).get(0).startsWith("s1-0/4 gets no packets"));
    assertEquals(List.of(), engine.view().status().reasons());
  }

  @Test
  void itIsUsedAgainAtOnceWhenItsSpeedRisesAndWhenItIsNeverToBeLeftOut() {
    start(fabric(SLOW_BPS, null, Fabric.UNLIMITED), 2);
    configure("{\"leaveOut\":\"never\"}");
    assertArrayEquals(new int[0], uplinks().leftOut());
    assertEquals(4.69, uplinks().oversubscription(), 0.01);
    assertEquals(List.of("s1-0/4"), events(Event.Kind.PORT_NOT_LEFT_OUT));
    configure("{\"leaveOut\":\"auto\"}");
    assertArrayEquals(new int[] {3}, uplinks().leftOut());
    assertEquals(2, events(Event.Kind.PORT_LEFT_OUT).size());
    String links = ConfigWriter.write(engine.view().configuration()).get("links").toString();
    String faster = links.replace(Long.toString(SLOW_BPS), Long.toString(FAST_BPS / 2));
    configure("{\"links\":" + faster + "}");
    assertArrayEquals(new int[0], uplinks().leftOut());
    assertEquals(2, events(Event.Kind.PORT_NOT_LEFT_OUT).size());
  }

  @Test
  void itIsUsedAgainAtOnceWhenTheSpeedOfTheOthersFalls() {
    start(fabric(SLOW_BPS, null, Fabric.UNLIMITED), 2);
    assertArrayEquals(new int[] {3}, uplinks().leftOut());
    String links = ConfigWriter.write(engine.view().configuration()).get("links").toString();
    String slower = links.replace(Long.toString(FAST_BPS), Long.toString(2 * SLOW_BPS));
    configure("{\"links\":" + slower + "}");
    assertArrayEquals(new int[0], uplinks().leftOut());
    assertEquals(List.of("s1-0/4"), events(Event.Kind.PORT_NOT_LEFT_OUT));
    assertEquals(List.of(1, 2, 3, 4), ports("s1-0"));
  }

  @Test
  void aTableSmallerThanItsPortsIsEnoughForTheNextHopsThatStay() {
    start(fabric(SLOW_BPS, SwitchTarget.REPLICATED_ENTRIES, 3), 3);
    assertConverged();
    assertArrayEquals(new int[] {3}, uplinks().leftOut());
    assertEquals(3, uplinks().entries());
    assertEquals(1201.0 / 1200, uplinks().oversubscription(), 1e-9);
  }

  @Test
  void aPortThatDiesHasAnotherBesideItAndTheSlowOneIsUsedWhereItIsTheLast() {
    Fabric fabric = fabric(SLOW_BPS, null, Fabric.UNLIMITED);
    start(fabric, 4);
    network.cut(linkNamed(fabric, "s1-0/1-s2-0/1"));
    loop.runFor(SECOND_NANOS);
    assertEquals(List.of(2, 3), ports("s1-0"));
    network.cut(linkNamed(fabric, "s1-0/2-s2-1/1"));
    loop.runFor(SECOND_NANOS);
    // Two next hops are left, and both stay in the group.
    assertEquals(List.of(3, 4), ports("s1-0"));
    assertConfirmed();
    network.cut(linkNamed(fabric, "s1-0/3-s2-2/1"));
    loop.runFor(SECOND_NANOS);
    assertConfirmed();
    assertTrue(engine.view().groups().stream().noneMatch(g -> g.switchId().equals("s1-0")));
  }

  /** The ports that the group at a switch really has. */
  private List<Integer> ports(String switchId) {
    return Arrays.stream(network.tables(switchId).groups().values().iterator().next().memberPorts())
        .boxed()
        .collect(Collectors.toList());
  }
}
