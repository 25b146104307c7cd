package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.runtime.ThreadLoop;
import org.evenweave.engine.status.FabricStatus;
import org.evenweave.wcmp.fabric.Fabrics;
import org.junit.jupiter.api.Test;

/** The status while the loop stands still. Seconds pass when the test says so. */
class EngineStallTest extends EngineFixture {
  private static final int HELD_SECONDS = 10;

  /** Of what must not hang. */
  private static final long HANG_SECONDS = 60;

  private static final String REASON =
      "the controller's engine loop has not run for 10 s; what is reported is from before";

  private void passSeconds(int seconds) {
    for (int second = 0; second < seconds; second++) {
      engine.watch().check();
    }
  }

  @Test
  void aConvergedFabricIsDegradedWhileTheLoopStandsStill() {
    start(Fabrics.figure32(), 1);
    assertConverged();
    EngineView before = engine.view();
    passSeconds(3);
    assertTrue(engine.view().converged(), "a task may wait for two seconds");
    passSeconds(1 + HELD_SECONDS - 3);
    FabricStatus stalled = engine.view().status();
    assertEquals(FabricStatus.State.DEGRADED, stalled.state());
    assertFalse(stalled.confirmed());
    assertEquals(List.of(REASON), stalled.reasons());
    loop.runFor(1);
    assertConverged();
    assertEquals(before.revision(), engine.view().revision());
  }

  /** Clients that have an answer are sent another (ETag). */
  @Test
  void everyAnswerOfAStallHasItsOwnRevision() {
    start(Fabrics.figure32(), 1);
    Set<Long> revisions = new HashSet<>();
    revisions.add(engine.view().revision());
    passSeconds(4);
    for (int second = 4; second <= HELD_SECONDS; second++) {
      assertTrue(revisions.add(engine.view().revision()), "second " + second);
      passSeconds(1);
    }
  }

  @Test
  void aLockThatTheLoopWaitsForShowsInTheStatus() throws Exception {
    try (ThreadLoop threadLoop = new ThreadLoop()) {
      network = new FakeNetwork(Fabrics.figure32(), new VirtualLoop(), 1);
      engine = new Engine(EngineConfig.empty(), network, network.channel(), threadLoop);
      assertStallWhileHeld(threadLoop, engine.events(), () -> engine.events().lastSequence());
      assertStallWhileHeld(threadLoop, engine.packets(), () -> engine.packets().handled());
    }
  }

  private void assertStallWhileHeld(ThreadLoop threadLoop, Object lock, Runnable use)
      throws Exception {
    synchronized (lock) {
      threadLoop.execute(use);
      passSeconds(1 + HELD_SECONDS);
      // On another thread, which does not hold the lock.
      CompletableFuture<EngineView> answer = CompletableFuture.supplyAsync(engine::view);
      FabricStatus stalled = answer.get(HANG_SECONDS, TimeUnit.SECONDS).status();
      assertEquals(REASON, stalled.reasons().get(0));
    }
    awaitLoop(threadLoop);
    assertNotEquals(REASON, engine.view().status().reasons().get(0));
  }

  private static void awaitLoop(ThreadLoop threadLoop) throws Exception {
    CompletableFuture<Void> ran = new CompletableFuture<>();
    threadLoop.execute(() -> ran.complete(null));
    ran.get(HANG_SECONDS, TimeUnit.SECONDS);
  }

  /** What a client asks for may take long, or never end. */
  @Test
  void aClientWhoseChangeHangsStopsNeitherTheLoopNorTheStatus() throws Exception {
    try (ThreadLoop threadLoop = new ThreadLoop()) {
      network = new FakeNetwork(Fabrics.figure32(), new VirtualLoop(), 1);
      engine = new Engine(EngineConfig.empty(), network, network.channel(), threadLoop);
      CountDownLatch asked = new CountDownLatch(1);
      CountDownLatch released = new CountDownLatch(1);
      CompletableFuture<EngineConfig> change =
          CompletableFuture.supplyAsync(
              () ->
                  engine.change(
                      present -> {
                        asked.countDown();
                        awaitQuietly(released);
                        return present;
                      }));
      asked.await();
      engine.report("test", List.of("a reason that comes meanwhile"));
      awaitLoop(threadLoop);
      assertTrue(
          engine.view().status().reasons().contains("a reason that comes meanwhile"),
          engine.view().status().toString());
      released.countDown();
      change.get(HANG_SECONDS, TimeUnit.SECONDS);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
