package org.evenweave.bench.solstice;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.evenweave.bench.common.AuthorsProgram;
import org.evenweave.bench.common.Scripts;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuthorsSolsticeTest {
  @TempDir private Path folder;

  @Test
  void schedulesGoThroughTheSameBooksAsOurs() throws IOException {
    CircuitNetwork network = new CircuitNetwork(2, 8_000_000_000L, 0, 100, 10_000);
    DemandMatrix demand = new DemandMatrix(2);
    demand.set(0, 1, 1_000);
    demand.set(1, 0, 3_000);
    // Two days, of 500 ns and 1000 ns: 500 and 1000 bytes from each to the other.
    String program =
        Scripts.write(
            folder,
            "[ \"$(tr -d '\\n ')\" = 210010000800000000000100030000 ] || exit 1\n"
                + "echo 7000 2; echo 500 1 0; echo 1000 1 0");
    Plans plans = new Plans(1);
    AuthorsSolstice.asItIs(AuthorsProgram.at(program).orElseThrow())
        .plan(network, List.of(demand), plans);
    ObjectNode json = plans.toJson();
    assertEquals(0.007, json.get("medianMs").asDouble());
    assertEquals(2_500 / 4_000.0, json.get("circuitServed").asDouble());
    assertEquals(2, json.get("days").asDouble());
  }

  @Test
  void theFastestModeIsAskedForByItsName() throws IOException {
    CircuitNetwork network = new CircuitNetwork(2, 8_000_000_000L, 0, 100, 10_000);
    DemandMatrix demand = new DemandMatrix(2);
    demand.set(0, 1, 1_000);
    String program =
        Scripts.write(folder, "[ \"$*\" = skip_norm_down ] || exit 1\necho 7000 1; echo 500 1 0");
    Plans plans = new Plans(1);
    AuthorsSolstice.fastest(AuthorsProgram.at(program).orElseThrow())
        .plan(network, List.of(demand), plans);
    assertEquals(0.5, plans.toJson().get("circuitServed").asDouble());
  }

  @Test
  void aPermutationHasOneLargeFlowOfEachSourceAndToEachDestination() {
    CircuitNetwork network = new CircuitNetwork(20, 8_000_000_000L, 0, 100, 1_000_000);
    DemandMatrix demand = Workload.PERMUTATION.demand(network, new Random(1));
    for (int host = 0; host < 20; host++) {
      int from = 0;
      int to = 0;
      for (int peer = 0; peer < 20; peer++) {
        from += demand.get(host, peer) > 600_000 ? 1 : 0;
        to += demand.get(peer, host) > 600_000 ? 1 : 0;
      }
      assertEquals(1, from);
      assertEquals(1, to);
    }
  }

  @Test
  void denseDemandIsOfAllPairsAndTheBusiestHostsIsAWeeks() {
    CircuitNetwork network = new CircuitNetwork(20, 8_000_000_000L, 0, 100, 1_000_000);
    DemandMatrix demand = Workload.DENSE.demand(network, new Random(1));
    assertEquals(20 * 19, demand.positions(new int[400]));
    long busiest = 0;
    for (int host = 0; host < 20; host++) {
      busiest = Math.max(busiest, Math.max(demand.fromSource(host), demand.toDestination(host)));
    }
    // Nineteen entries, each rounded down by less than a byte.
    assertEquals(1_000_000, (double) busiest, 19);
  }

  @Test
  void balancedWorkloadsFillEverySourceAndDestinationAlike() {
    CircuitNetwork network = new CircuitNetwork(20, 8_000_000_000L, 0, 100, 1_000_000);
    DemandMatrix demand = Workload.EXACT.demand(network, new Random(1));
    for (int host = 0; host < 20; host++) {
      // Sixteen sizes, each rounded down by less than a byte.
      assertEquals(1_000_000, (double) demand.fromSource(host), 16);
      assertEquals(1_000_000, (double) demand.toDestination(host), 16);
      assertEquals(0, demand.get(host, host));
    }
  }
}
