package org.evenweave.app;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** An executor without a thread, whose time passes when a test wants: {@link #pass}. */
public final class VirtualExecutor extends AbstractExecutorService
    implements ScheduledExecutorService {
  private final PriorityQueue<Task> tasks = new PriorityQueue<>();
  private long nowNanos;
  private long taken;
  private boolean shutDown;

  /** In the order of their times; of the same time, in the order in which they came. */
  private final class Task extends FutureTask<Void> implements ScheduledFuture<Void> {
    private final Runnable body;
    private final long periodNanos;
    private final long number = taken++;
    private long atNanos;

    /**
     * @param periodNanos 0 for a task that runs once
     */
    Task(Runnable body, long delayNanos, long periodNanos) {
      super(body, null);
      this.body = body;
      this.periodNanos = periodNanos;
      this.atNanos = nowNanos + delayNanos;
    }

    @Override
    public void run() {
      if (periodNanos == 0) {
        super.run();
      } else if (!isCancelled()) {
        body.run();
        atNanos = nowNanos + periodNanos;
        tasks.add(this);
      }
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
      tasks.remove(this);
      return super.cancel(mayInterrupt);
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(atNanos - nowNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      Task that = (Task) other;
      return atNanos == that.atNanos
          ? Long.compare(number, that.number)
          : Long.compare(atNanos, that.atNanos);
    }
  }

  /** Lets time go by and runs what is due until then. */
  public void pass(long time, TimeUnit unit) {
    long untilNanos = nowNanos + unit.toNanos(time);
    while (!tasks.isEmpty() && tasks.peek().atNanos <= untilNanos) {
      Task next = tasks.remove();
      nowNanos = Math.max(nowNanos, next.atNanos);
      next.run();
    }
    nowNanos = untilNanos;
  }

  private Task add(Runnable body, long delay, long period, TimeUnit unit) {
    if (shutDown) {
      throw new RejectedExecutionException("shut down");
    }
    Task task = new Task(body, unit.toNanos(delay), unit.toNanos(period));
    tasks.add(task);
    return task;
  }

  @Override
  public void execute(Runnable body) {
    add(body, 0, 0, TimeUnit.NANOSECONDS);
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable body, long delay, TimeUnit unit) {
    return add(body, delay, 0, unit);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> body, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException("tasks with results");
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable body, long delay, long period, TimeUnit unit) {
    return add(body, delay, period, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable body, long delay, long pause, TimeUnit unit) {
    return add(body, delay, pause, unit);
  }

  @Override
  public void shutdown() {
    shutDown = true;
  }

  @Override
  public List<Runnable> shutdownNow() {
    shutDown = true;
    List<Runnable> left = new ArrayList<>(tasks);
    tasks.clear();
    return left;
  }

  @Override
  public boolean isShutdown() {
    return shutDown;
  }

  @Override
  public boolean isTerminated() {
    return shutDown && tasks.isEmpty();
  }

  /** Runs what is due within the time. */
  @Override
  public boolean awaitTermination(long time, TimeUnit unit) {
    pass(time, unit);
    return isTerminated();
  }
}
