package org.evenweave.engine.fake;

import java.util.Map;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.BeforeEach;

/** For tests to extend: an engine that has converged on Figure 3.2's fabric, in virtual time. */
public abstract class ConvergedEngine {
  protected static final long SECOND_NANOS = 1_000_000_000L;

  protected final VirtualLoop loop = new VirtualLoop();
  protected final Fabric fabric = Fabrics.figure32();
  protected final FakeNetwork network = new FakeNetwork(fabric, loop, 1);
  protected final Engine engine =
      new Engine(
          new EngineConfig(fabric, Map.of(), WeightRule.EFFECTIVE_CAPACITY),
          network,
          network,
          loop);

  @BeforeEach
  void converge() {
    engine.start();
    network.connectAll();
    loop.runFor(SECOND_NANOS);
  }
}
