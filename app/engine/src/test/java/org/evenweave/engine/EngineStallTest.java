package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Named.named;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventObserver;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.packets.KeyedLimit;
import org.evenweave.engine.packets.PortLimiter;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.engine.runtime.PlanTimes;
import org.evenweave.engine.runtime.ThreadLoop;
import org.evenweave.engine.status.EngineView;
import org.evenweave.engine.status.FabricStatus;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The status while the loop stands still. The test advances the time. */
class EngineStallTest extends EngineFixture {
  private static final int HELD_SECONDS = 10;

  /** Of what must not hang. */
  private static final long HANG_SECONDS = 60;

  private static final String REASON =
      "the controller's engine loop has not run for 10 s; the reported state is older than that";

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

  /** A runtime adds its threads to the engine's watch. */
  @Test
  void aThreadOfTheRuntimeThatStandsStillDegradesTheFabric() {
    start(Fabrics.figure32(), 1);
    engine.watch().add("OpenFlow thread 1", task -> {});
    for (int second = 0; second <= HELD_SECONDS; second++) {
      passSeconds(1);
      loop.runFor(1);
    }
    FabricStatus stalled = engine.view().status();
    assertEquals(FabricStatus.State.DEGRADED, stalled.state());
    assertEquals(List.of(REASON.replace("engine loop", "OpenFlow thread 1")), stalled.reasons());
  }

  /** A lock of an engine, and a task that takes it. */
  private static final class Lock {
    final Object monitor;
    final Runnable use;

    Lock(Object monitor, Runnable use) {
      this.monitor = monitor;
      this.use = use;
    }
  }

  /** Takes a lock of its own, as metrics do. */
  private static final class LockedObserver implements EventObserver {
    @Override
    public void eventConfirmed(Event.Kind kind, long nanos) {}

    @Override
    public synchronized void planConfirmed(int groups, int flows, Map<String, Long> stageNanos) {}
  }

  /** Every lock that the loop takes, and the limits' locks, which threads of runtimes take too. */
  static Stream<Named<Function<Engine, Lock>>> locks() {
    return Stream.of(
        named("events", of -> new Lock(of.events(), of.events()::lastSequence)),
        named("packet counts", of -> new Lock(of.packets(), of.packets()::handled)),
        named("refused sources", of -> new Lock(of.refusedSources(), of.refusedSources()::dropped)),
        named("views", of -> new Lock(of.views(), of.views()::requested)),
        named(
            "metrics",
            of -> {
              LockedObserver observer = new LockedObserver();
              of.events().observe(observer);
              return new Lock(observer, () -> of.events().confirm(0, 0, 0, 0, PlanTimes.NONE));
            }),
        named(
            "limit of ports",
            of -> {
              PortLimiter limiter = PortLimiter.forHosts(0);
              return new Lock(limiter, () -> limiter.admits(1, 0));
            }),
        named(
            "limit of keys",
            of -> {
              KeyedLimit<String> limit = new KeyedLimit<>(1, 1);
              return new Lock(limit, () -> limit.pass("a key", 0));
            }));
  }

  @ParameterizedTest
  @MethodSource("locks")
  void aLockThatTheLoopWaitsForShowsInTheStatus(Function<Engine, Lock> lockOf) throws Exception {
    try (ThreadLoop threadLoop = new ThreadLoop()) {
      network = new FakeNetwork(Fabrics.figure32(), new VirtualLoop(), 1);
      engine = new Engine(EngineConfig.empty(), network, network.channel(), threadLoop);
      Lock lock = lockOf.apply(engine);
      assertStallWhileHeld(threadLoop, lock.monitor, lock.use);
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

  /** Its clock stands still for one thread. */
  private static final class HangingClock implements EngineLoop {
    private final EngineLoop loop;
    final CountDownLatch asked = new CountDownLatch(1);
    final CountDownLatch released = new CountDownLatch(1);
    volatile Thread hanging;

    HangingClock(EngineLoop loop) {
      this.loop = loop;
    }

    @Override
    public void execute(Runnable task) {
      loop.execute(task);
    }

    @Override
    public void schedule(Runnable task, long delayNanos) {
      loop.schedule(task, delayNanos);
    }

    @Override
    public void background(Runnable task) {
      loop.background(task);
    }

    @Override
    public long nanoTime() {
      if (Thread.currentThread() == hanging) {
        asked.countDown();
        awaitQuietly(released);
      }
      return loop.nanoTime();
    }
  }

  /** Those who change the configuration wait for each other; the loop never waits for them. */
  @Test
  void theLockOfReconfigurationsStopsNeitherTheLoopNorTheStatus() throws Exception {
    try (ThreadLoop threadLoop = new ThreadLoop()) {
      HangingClock clock = new HangingClock(threadLoop);
      network = new FakeNetwork(Fabrics.figure32(), new VirtualLoop(), 1);
      engine = new Engine(EngineConfig.empty(), network, network.channel(), clock);
      Thread client = new Thread(() -> engine.useRule(WeightRule.EQUAL));
      clock.hanging = client;
      client.start();
      clock.asked.await();
      for (int second = 0; second <= HELD_SECONDS; second++) {
        passSeconds(1);
        awaitLoop(threadLoop);
      }
      assertFalse(engine.view().status().reasons().contains(REASON));
      assertNotEquals(WeightRule.EQUAL, engine.configuration().weightRule());
      clock.released.countDown();
      client.join();
      assertEquals(WeightRule.EQUAL, engine.configuration().weightRule());
    }
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
