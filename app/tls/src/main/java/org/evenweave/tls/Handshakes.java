package org.evenweave.tls;

import java.net.SocketAddress;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Computes the TLS handshakes of one listener, on a separate thread from those that serve
 * authenticated connections. A handshake costs milliseconds of processor time, and anyone can start
 * one. So unauthenticated handshakes are limited to {@value #PER_SECOND} a second in the long run
 * and {@value #AT_ONCE} at once, round-robin over hosts. A handshake whose other end authenticates
 * does not count, so all switches of a fabric may connect at once.
 *
 * <p>A handshake that has begun has priority over waiting ones. Thread-safe.
 */
public final class Handshakes implements AutoCloseable {
  /** Unauthenticated handshakes in a second, in the long run. */
  public static final int PER_SECOND = 20;

  /** Handshakes that are not authenticated, or not yet, at once. */
  public static final int AT_ONCE = 128;

  private final ScheduledExecutorService thread;
  private final LongSupplier nanoTime;
  private final HandshakeTurns turns;
  private boolean isTurnDue;

  /**
   * @param name of the thread
   */
  public Handshakes(String name) {
    this(
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread made = new Thread(task, name);
              made.setDaemon(true);
              return made;
            }),
        System::nanoTime);
  }

  Handshakes(ScheduledExecutorService thread, LongSupplier nanoTime) {
    this.thread = thread;
    this.nanoTime = nanoTime;
    turns = new HandshakeTurns(PER_SECOND, AT_ONCE, nanoTime.getAsLong());
  }

  /**
   * The handshake of one connection, which runs its parts: the first when it is its turn, the
   * others as soon as they come. Parts of an ended connection are left out.
   */
  public final class Handshake implements Executor {
    private final Object host;

    /** Null before and after it waits for its turn. */
    private Runnable beginning;

    private boolean begun;
    private boolean proven;
    private boolean ended;

    private Handshake(SocketAddress from) {
      host = RemoteHost.of(from);
    }

    @Override
    public void execute(Runnable part) {
      synchronized (turns) {
        if (ended) {
          return;
        }
        if (begun) {
          run(part);
        } else {
          begun = true;
          beginning = part;
          turns.add(host, part);
          scheduleTurn();
        }
      }
    }

    /** The other end has authenticated. */
    public void proved() {
      synchronized (turns) {
        if (begun && !proven && !ended) {
          proven = true;
          turns.giveBack();
        }
      }
    }

    /** The connection has ended. */
    public void end() {
      synchronized (turns) {
        ended = true;
        if (beginning != null) {
          turns.remove(host, beginning);
          beginning = null;
        }
      }
    }
  }

  /** A connection begins, whose other end has not authenticated. */
  public Handshake of(SocketAddress from) {
    return new Handshake(from);
  }

  /** One turn at a time is due, so that parts of handshakes that have begun go in between. */
  private void scheduleTurn() {
    if (!isTurnDue && !turns.isEmpty()) {
      isTurnDue = true;
      long waitNanos = turns.waitNanos(nanoTime.getAsLong());
      try {
        thread.schedule(this::turn, waitNanos, TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException e) {
        // The listener has ended, and its connections with it.
      }
    }
  }

  private void turn() {
    Optional<Runnable> beginning;
    synchronized (turns) {
      beginning = turns.next(nanoTime.getAsLong());
    }
    try {
      beginning.ifPresent(Runnable::run);
    } finally {
      synchronized (turns) {
        isTurnDue = false;
        scheduleTurn();
      }
    }
  }

  private void run(Runnable part) {
    try {
      thread.execute(part);
    } catch (RejectedExecutionException e) {
      // The listener has ended, and the connection with it.
    }
  }

  /** Computes nothing any more. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
