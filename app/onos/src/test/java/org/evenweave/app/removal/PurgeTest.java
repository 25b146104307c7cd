package org.evenweave.app.removal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;

class PurgeTest {
  private static final long TIMEOUT_NANOS = 5_000_000_000L;
  private static final SelectGroup GROUP = new SelectGroup(9, new int[] {1, 2}, new int[] {2, 1});
  private static final FlowRule ROUTE = FlowRule.routeToGroup(Ipv4Prefix.parse("10.0.1.0/24"), 9);
  private static final FlowRule ARP = FlowRule.arpToController();

  private final VirtualLoop loop = new VirtualLoop();
  private final SwitchResolver switches = new SwitchResolver();
  private final Purge purge = new Purge(switches, loop, TIMEOUT_NANOS);

  /** Switches that carry out every request at once. */
  private static final class SwitchResolver implements SouthboundPort {
    final Map<String, SwitchTables> tables = new TreeMap<>();

    /** Arrives at s1-0 after its first change, as a change that was under way. */
    List<SwitchOperation> late = List.of();

    @Override
    public CompletableFuture<Void> apply(String switchId, List<SwitchOperation> operations) {
      boolean rulesAreGone = false;
      for (SwitchOperation operation : operations) {
        rulesAreGone |= operation.kind() == SwitchOperation.Kind.DELETE_GROUP;
        assertTrue(
            operation.kind() == SwitchOperation.Kind.DELETE_GROUP || !rulesAreGone,
            "a rule is removed after the group that it points to");
      }
      tables.put(switchId, tables.get(switchId).after(operations).after(late));
      late = List.of();
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<SwitchTables> read(String switchId) {
      SwitchTables held = tables.get(switchId);
      return held == null
          ? CompletableFuture.failedFuture(
              new SouthboundException(switchId, "no instance of ONOS is its master"))
          : CompletableFuture.completedFuture(held);
    }

    @Override
    public void sendPacket(String switchId, int outPort, byte[] frame) {
      throw new AssertionError("nothing is to be sent");
    }
  }

  private static SwitchTables tables(SwitchOperation... operations) {
    return SwitchTables.EMPTY.after(List.of(operations));
  }

  private Purge.Result purge(String... switchIds) {
    CompletableFuture<Purge.Result> done = purge.of(List.of(switchIds));
    loop.runFor(1);
    return done.join();
  }

  @Test
  void everythingIsRemovedAndCounted() {
    switches.tables.put(
        "s1-0",
        tables(
            SwitchOperation.addGroup(GROUP),
            SwitchOperation.putFlow(ROUTE),
            SwitchOperation.putFlow(ARP)));
    switches.tables.put("s2-0", tables(SwitchOperation.putFlow(ARP)));
    Purge.Result result = purge("s1-0", "s2-0");
    assertEquals(List.of(2, 1, 3), List.of(result.switches(), result.groups(), result.rules()));
    assertEquals(Map.of(), result.problems());
    assertEquals(Map.of("s1-0", SwitchTables.EMPTY, "s2-0", SwitchTables.EMPTY), switches.tables);
  }

  @Test
  void aChangeThatWasUnderWayIsRemovedToo() {
    switches.tables.put("s1-0", tables(SwitchOperation.putFlow(ARP)));
    switches.late = List.of(SwitchOperation.addGroup(GROUP), SwitchOperation.putFlow(ROUTE));
    Purge.Result result = purge("s1-0");
    assertEquals(List.of(1, 2), List.of(result.groups(), result.rules()));
    assertEquals(SwitchTables.EMPTY, switches.tables.get("s1-0"));
  }

  @Test
  void aSwitchThatCannotBeReadIsNamedAndTheOthersAreEmptied() {
    switches.tables.put("s1-0", tables(SwitchOperation.putFlow(ARP)));
    Purge.Result result = purge("s1-0", "s9-9");
    assertEquals(1, result.rules());
    assertEquals(
        Map.of(
            "s9-9",
            new SouthboundException("s9-9", "no instance of ONOS is its master").getMessage()),
        result.problems());
    assertEquals(SwitchTables.EMPTY, switches.tables.get("s1-0"));
  }
}
