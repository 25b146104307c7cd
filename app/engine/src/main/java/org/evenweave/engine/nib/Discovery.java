package org.evenweave.engine.nib;

/**
 * When a start has found enough of the network to act on: all that is configured, or nothing more
 * for a while. What is missing until then may be there and only not be found yet; to route around
 * it would move traffic for nothing.
 *
 * <p>Only what was never found before counts, so that a link that comes and goes ends the wait as
 * well: after at most as many pauses as there are switches and links.
 */
public final class Discovery {
  private final long pauseNanos;
  private boolean ended;
  private int mostFound;
  private long foundNanos;

  /**
   * @param pauseNanos how long nothing more may be found
   * @param nowNanos when it begins
   */
  public Discovery(long pauseNanos, long nowNanos) {
    this.pauseNanos = pauseNanos;
    this.foundNanos = nowNanos;
  }

  /** Takes notice of what the network looks like at a time; returns whether discovery has ended. */
  public boolean follow(Nib nib, long nowNanos) {
    Snapshot now = nib.snapshot();
    int found = now.switchIds().size() + now.linkCount();
    if (found > mostFound) {
      mostFound = found;
      foundNanos = nowNanos;
    }
    ended |= nib.complete() || nowNanos - foundNanos >= pauseNanos;
    return ended;
  }

  /** How long to wait before the next look, if nothing happens until then. */
  public long remainingNanos(long nowNanos) {
    return pauseNanos - (nowNanos - foundNanos);
  }
}
