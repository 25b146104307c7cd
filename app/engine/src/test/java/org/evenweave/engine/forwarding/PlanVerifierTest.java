package org.evenweave.engine.forwarding;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.paths.PathCalculator;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

/** That the planner's own plans pass is shown by EngineTest, whose engine would not converge. */
class PlanVerifierTest {
  private static final Ipv4Prefix PREFIX = Ipv4Prefix.parse("10.0.0.0/24");
  private static final Ipv4Prefix HOSTS_OF_A = Ipv4Prefix.parse("10.0.1.0/24");

  /** A chain a - b - c; hosts under a and c. */
  private static final Fabric CHAIN =
      new FabricBuilder()
          .addSwitch("a", 1, Fabric.UNLIMITED)
          .addSwitch("b", 1, Fabric.UNLIMITED)
          .addSwitch("c", 1, Fabric.UNLIMITED)
          .addLink("a/1", "b/1", 10)
          .addLink("b/2", "c/1", 10)
          .addSubnet("a", HOSTS_OF_A)
          .addSubnet("c", PREFIX)
          .build();

  private static final DesiredState DESIRED =
      TableCompiler.compile(
          PathCalculator.routes(new Snapshot(1, CHAIN, List.of()), WeightRule.EFFECTIVE_CAPACITY),
          Map.of(),
          switchId -> false);

  private static String refusal(
      List<Map<String, List<SwitchOperation>>> rounds, Map<String, SwitchTables> installed) {
    return assertThrows(
            UnsafePlanException.class, () -> PlanVerifier.requireSafe(rounds, installed, DESIRED))
        .getMessage();
  }

  @Test
  void aPlanInTheWrongOrderIsRefused() {
    List<Map<String, List<SwitchOperation>>> rounds =
        new ArrayList<>(UpdatePlan.between(Map.of(), DESIRED).rounds());
    PlanVerifier.requireSafe(rounds, Map.of(), DESIRED);
    Collections.reverse(rounds);
    String message = refusal(rounds, Map.of());
    assertTrue(message.contains("black-hole at b to 10.0.0.0/24: no rule"), message);
  }

  @Test
  void aRoundThatIsSafeInOneOrderOnlyIsRefused() {
    SwitchOperation back = SwitchOperation.putFlow(FlowRule.routeToPort(PREFIX, 1));
    Map<String, SwitchTables> installed = Map.of("a", SwitchTables.EMPTY.after(List.of(back)));
    SwitchOperation away = SwitchOperation.deleteFlow(back.flow());
    // Fine if a forgets its rule before b turns back towards it, a loop if b is first.
    String message = refusal(List.of(Map.of("a", List.of(away), "b", List.of(back))), installed);
    assertTrue(message.contains("loop at a to 10.0.0.0/24"), message);
  }

  @Test
  void aLoopThatIsThereAlreadyMayBeMended() {
    SwitchOperation back = SwitchOperation.putFlow(FlowRule.routeToPort(PREFIX, 1));
    SwitchTables turned = SwitchTables.EMPTY.after(List.of(back));
    Map<String, SwitchTables> installed = Map.of("a", turned, "b", turned);
    PlanVerifier.requireSafe(UpdatePlan.between(installed, DESIRED).rounds(), installed, DESIRED);
  }
}
