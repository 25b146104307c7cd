package org.evenweave.engine.fake;

import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.evenweave.engine.runtime.EngineLoop;

/** An {@link EngineLoop} in virtual time: a test decides when it goes on. */
public final class VirtualLoop implements EngineLoop {
  /** What comes in between meets work that is not done yet. */
  private static final long BACKGROUND_NANOS = 20_000_000L;

  private static final class Task implements Comparable<Task> {
    final long atNanos;
    final long order;
    final Runnable body;

    Task(long atNanos, long order, Runnable body) {
      this.atNanos = atNanos;
      this.order = order;
      this.body = body;
    }

    @Override
    public int compareTo(Task other) {
      return atNanos != other.atNanos
          ? Long.compare(atNanos, other.atNanos)
          : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Task> tasks = new PriorityQueue<>();
  private long nowNanos;
  private long nextOrder;
  private Runnable executed = () -> {};
  private Runnable afterEach = () -> {};
  private long backgroundNanos = BACKGROUND_NANOS;

  @Override
  public void execute(Runnable task) {
    schedule(task, 0);
    executed.run();
  }

  @Override
  public void schedule(Runnable task, long delayNanos) {
    tasks.add(new Task(nowNanos + delayNanos, nextOrder++, task));
  }

  @Override
  public void background(Runnable task) {
    schedule(task, backgroundNanos);
  }

  /** How long a task in the background takes, from now on; 20 ms otherwise. */
  public void setBackgroundNanos(long nanos) {
    backgroundNanos = nanos;
  }

  @Override
  public long nanoTime() {
    return nowNanos;
  }

  /** Runs this after each task from now on. */
  public void afterEach(Runnable check) {
    afterEach = check;
  }

  /** Runs everything that is due within the next {@code nanos}. */
  public void runFor(long nanos) {
    long until = nowNanos + nanos;
    while (!tasks.isEmpty() && tasks.peek().atNanos <= until) {
      Task task = tasks.remove();
      nowNanos = task.atNanos;
      task.body.run();
      afterEach.run();
    }
    nowNanos = until;
  }

  /**
   * Starts a request that submits one task to this loop and blocks for its result, in a thread of
   * its own. Returns when the task is submitted, so that the loop and that thread never touch the
   * tasks at the same time.
   */
  public <T> CompletableFuture<T> start(Supplier<T> request) throws InterruptedException {
    CountDownLatch submitted = new CountDownLatch(1);
    executed = submitted::countDown;
    CompletableFuture<T> answer = CompletableFuture.supplyAsync(request);
    answer.whenComplete((result, failure) -> submitted.countDown());
    submitted.await();
    executed = () -> {};
    return answer;
  }
}
