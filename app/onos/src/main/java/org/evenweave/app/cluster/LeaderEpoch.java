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
 * The time for which an engine leads. An instance that was cut off from the others believes for a
 * moment after it is back that it still leads, and that the links are gone that it lost sight of:
 * it must not touch a switch any more. So each engine that begins counts a counter of the cluster
 * on, and changes switches only while it has not been counted on further.
 *
 * <p>Once confirmed a term is not asked for again for a while: another can begin only when this
 * instance has not been heard of for seconds, or has withdrawn and ends its engine.
 */
public final class LeaderEpoch {
  /** No instance that was killed was seen to be replaced before 2.5 s had gone by. */
  static final long LEASE_NANOS = 1_000_000_000L;

  private static final long TIMEOUT_SECONDS = 2;

  private final AsyncAtomicCounter terms;
  private final LongSupplier clockNanos;
  private final Runnable overtaken;
  private final long own;
  private final AtomicBoolean over = new AtomicBoolean();
  private volatile long confirmedNanos;

  /**
   * Begins a term, which ends the one before.
   *
   * @param overtaken runs once, when it is first heard of that another term has begun
   * @throws StorageException if the cluster's store does not answer
   */
  public LeaderEpoch(StorageService storage, LongSupplier clockNanos, Runnable overtaken) {
    this.clockNanos = clockNanos;
    this.overtaken = overtaken;
    this.terms = storage.getAsyncAtomicCounter("evenweave-terms");
    this.confirmedNanos = clockNanos.getAsLong();
    this.own = terms.asAtomicCounter().incrementAndGet();
  }

  /**
   * Whether another term is known to have begun. An instance that leads then, as when it was cut
   * off for a while and did not hear of who led meanwhile, is to begin a new one.
   */
  public boolean isOver() {
    return over.get();
  }

  /** Completes if this is still the latest term, and fails if it is not or nobody can say. */
  public CompletableFuture<Void> confirm() {
    long askedNanos = clockNanos.getAsLong();
    if (askedNanos - confirmedNanos < LEASE_NANOS) {
      return CompletableFuture.completedFuture(null);
    }
    return terms
        .get()
        .thenApply(Function.identity())
        .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .thenAccept(
            latest -> {
              if (latest != own) {
                if (over.compareAndSet(false, true)) {
                  overtaken.run();
                }
                throw new IllegalStateException("another instance leads");
              }
              confirmedNanos = askedNanos;
            });
  }
}
