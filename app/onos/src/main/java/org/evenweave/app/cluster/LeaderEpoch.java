package org.evenweave.app.cluster;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.onosproject.store.service.AsyncAtomicCounter;
import org.onosproject.store.service.StorageException;
import org.onosproject.store.service.StorageService;

/**
 * The epoch of one engine's leadership, which fences an overtaken leader. An instance that returns
 * from a partition believes for a moment that it still leads, and that the links it could not see
 * are down: it must not change switches. So each engine that begins to lead increments a counter of
 * the cluster, and changes switches only while the counter has that value.
 *
 * <p>A confirmation is valid for {@link #LEASE_NANOS}: another epoch can begin only once the
 * cluster has missed this instance for seconds, or this instance has withdrawn and stops its
 * engine.
 */
public final class LeaderEpoch {
  /** Measured: no killed leader was replaced in less than 2.5 s. */
  static final long LEASE_NANOS = 1_000_000_000L;

  private static final long TIMEOUT_SECONDS = 2;

  private final AsyncAtomicCounter counter;
  private final LongSupplier clockNanos;
  private final Runnable overtaken;
  private final long own;
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile long confirmedNanos;

  /**
   * Begins an epoch, which ends the one before.
   *
   * @param overtaken runs once, when a later epoch is first seen
   * @throws StorageException if the cluster's store does not respond
   */
  public LeaderEpoch(StorageService storage, LongSupplier clockNanos, Runnable overtaken) {
    this.clockNanos = clockNanos;
    this.overtaken = overtaken;
    this.counter = storage.getAsyncAtomicCounter("evenweave-terms");
    this.confirmedNanos = clockNanos.getAsLong();
    this.own = counter.asAtomicCounter().incrementAndGet();
  }

  /**
   * Whether a later epoch is known to have begun. An instance that leads nevertheless, as after a
   * partition in which it missed another leader, must begin a new epoch.
   */
  public boolean hasEnded() {
    return ended.get();
  }

  /** The number of the epoch; later ones have higher numbers. */
  public long number() {
    return own;
  }

  /** The same as {@link #confirm}, for threads that may wait for seconds. */
  public boolean isConfirmed() {
    return confirm().handle((nothing, error) -> error == null).join();
  }

  /**
   * Completes if this is still the latest epoch; fails if not, or if the store does not respond.
   */
  public CompletableFuture<Void> confirm() {
    long requestNanos = clockNanos.getAsLong();
    if (requestNanos - confirmedNanos < LEASE_NANOS) {
      return CompletableFuture.completedFuture(null);
    }
    return counter
        .get()
        .thenApply(Function.identity())
        .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .thenAccept(
            latest -> {
              if (latest != own) {
                if (ended.compareAndSet(false, true)) {
                  overtaken.run();
                }
                throw new IllegalStateException("another instance leads");
              }
              confirmedNanos = requestNanos;
            });
  }
}
