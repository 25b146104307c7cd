package org.evenweave.engine.fake;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Which pairs of a network lose packets, after every change of it, and that no operation of the
 * controller adds to them.
 */
final class LossWatch {
  private final Supplier<Set<String>> find;
  private final VirtualLoop loop;
  private Set<String> lossy;
  private long lastChangeNanos = -1;
  private long excusedUntilNanos;
  private long forgivenUntilNanos;

  LossWatch(Supplier<Set<String>> find, VirtualLoop loop) {
    this.find = find;
    this.loop = loop;
    lossy = find.get();
  }

  Set<String> lossy() {
    return lossy;
  }

  /** Links or switches changed: operations that were sent before may now lose packets. */
  void networkChanged() {
    lastChangeNanos = loop.nanoTime();
    lossy = find.get();
  }

  /** Until then nothing is watched. */
  void excuseFor(long nanos) {
    excusedUntilNanos = loop.nanoTime() + nanos;
    loop.schedule(this::tablesChanged, nanos);
  }

  /** Until then losses count as somebody else's fault; loops are watched as ever. */
  void forgiveFor(long nanos) {
    forgivenUntilNanos = loop.nanoTime() + nanos;
    tablesChanged();
  }

  /** Tables or connections changed, and not by the controller. */
  void tablesChanged() {
    lossy = find.get();
  }

  /** Fails if an operation that was sent after the last change of the network loses packets. */
  void operationPerformed(long sentAtNanos) {
    if (loop.nanoTime() < excusedUntilNanos) {
      return;
    }
    Set<String> now = find.get();
    Set<String> fresh = new TreeSet<>(now);
    fresh.removeAll(lossy);
    if (!fresh.isEmpty()
        && sentAtNanos > lastChangeNanos
        && loop.nanoTime() >= forgivenUntilNanos) {
      throw new AssertionError(
          "the plan itself lost packets of " + fresh + " at " + loop.nanoTime());
    }
    lossy = now;
  }
}
