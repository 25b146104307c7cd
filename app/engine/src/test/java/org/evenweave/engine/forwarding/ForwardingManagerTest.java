package org.evenweave.engine.forwarding;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.runtime.StageTimes;
import org.evenweave.wcmp.topology.FatTree;
import org.junit.jupiter.api.Test;

class ForwardingManagerTest {
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final VirtualLoop loop = new VirtualLoop();
  private final FakeNetwork network = new FakeNetwork(FatTree.of(4, 1), loop, 1);
  private final ForwardingManager manager =
      new ForwardingManager(network, loop, new StageTimes(System::nanoTime), EngineConfig::empty);

  /** A future would swallow it, and the engine would wait for ever without a word in the log. */
  @Test
  void aDefectInHandlingAnAnswerReachesTheLoop() {
    IllegalStateException defect = new IllegalStateException();
    manager.read(
        "core-0",
        (tables, error) -> {
          throw defect;
        });
    assertSame(defect, assertThrows(IllegalStateException.class, () -> loop.runFor(SECOND_NANOS)));
  }
}
