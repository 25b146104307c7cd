package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.RuleCount;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.types.U64;

/** Counters of routing rules, as the switch reports them. */
class CountRequestTest {
  private FakeOpenFlowSwitch peer;
  private ChannelFixture fixture;

  @BeforeEach
  void up() {
    peer = new FakeOpenFlowSwitch(7, 1, 2);
    fixture = ChannelFixture.withUp(peer);
  }

  private void install(FlowRule... rules) {
    List<SwitchOperation> operations = new ArrayList<>();
    for (FlowRule rule : rules) {
      operations.add(SwitchOperation.putFlow(rule));
    }
    CompletableFuture<Void> done = fixture.connection.apply(operations);
    fixture.settle();
    done.join();
  }

  private CompletableFuture<Collection<RuleCount>> count() {
    CompletableFuture<Collection<RuleCount>> counts = fixture.connection.countRoutes();
    fixture.settle();
    return counts;
  }

  @Test
  void routesAreCountedAndNothingElse() {
    peer.entriesPerPart = 2;
    install(
        FlowRule.routeToPort(Ipv4Prefix.parse("10.0.1.0/24"), 1),
        FlowRule.prefixToController(Ipv4Prefix.parse("10.0.0.0/24")),
        FlowRule.routeToPort(Ipv4Prefix.parse("10.0.2.0/24"), 2),
        FlowRule.arpToController());
    long bytes = 1L << 63;
    peer.flows.replaceAll(
        flow ->
            flow.createBuilder()
                .setByteCount(U64.of(bytes))
                .setDurationSec(3)
                .setDurationNsec(500)
                .build());
    List<String> prefixes = new ArrayList<>();
    for (RuleCount count : count().join()) {
      prefixes.add(count.prefix().toString());
      assertEquals(bytes, count.bytes());
      assertEquals(3_000_000_500L, count.ageNanos());
    }
    prefixes.sort(String::compareTo);
    assertEquals(List.of("10.0.1.0/24", "10.0.2.0/24"), prefixes);
  }

  @Test
  void aSwitchThatIsLostHasCountedNothing() {
    fixture.answering = false;
    CompletableFuture<Collection<RuleCount>> counts = count();
    fixture.channel.close();
    fixture.channel.runPendingTasks();
    CompletionException e = assertThrows(CompletionException.class, counts::join);
    assertTrue(e.getMessage().contains("s7: counters not read"), e.getMessage());
  }
}
