package org.evenweave.engine.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ThreadLoopTest {
  @Test
  void theLoopGoesOnWhileABackgroundTaskRuns() throws Exception {
    try (ThreadLoop loop = new ThreadLoop()) {
      CountDownLatch loopRan = new CountDownLatch(1);
      CompletableFuture<String> background = new CompletableFuture<>();
      CompletableFuture<String> ofLoop = new CompletableFuture<>();
      loop.background(
          () -> {
            awaitQuietly(loopRan);
            background.complete(Thread.currentThread().getName());
          });
      loop.execute(
          () -> {
            loopRan.countDown();
            ofLoop.complete(Thread.currentThread().getName());
          });
      assertNotEquals(ofLoop.get(), background.get());
    }
  }

  @Test
  void aBackgroundTaskThatFailsLeavesTheNextAlone() throws Exception {
    try (ThreadLoop loop = new ThreadLoop()) {
      CompletableFuture<Integer> next = new CompletableFuture<>();
      loop.background(
          () -> {
            throw new IllegalStateException("a defect of the test's task");
          });
      loop.background(() -> next.complete(1));
      assertEquals(1, next.get());
    }
  }

  @Test
  void whatComesAfterTheEndIsDropped() {
    ThreadLoop loop = new ThreadLoop();
    loop.close();
    CompletableFuture<Void> ran = new CompletableFuture<>();
    loop.background(() -> ran.complete(null));
    loop.execute(() -> ran.complete(null));
    assertFalse(ran.isDone());
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
