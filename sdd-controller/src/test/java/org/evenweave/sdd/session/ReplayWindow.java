package org.evenweave.sdd.session;

/** What a host does about sequences: refuses what came before, and counts what never came. */
public final class ReplayWindow {
  private static final int SIZE = 64;

  private long highest;
  private long accepted;

  /** Bit i: {@code highest - i} was accepted. */
  private long seen;

  public boolean accept(long sequence) {
    if (sequence <= 0 || sequence <= highest - SIZE) {
      return false;
    }
    if (sequence > highest) {
      long step = sequence - highest;
      seen = step >= SIZE ? 0 : seen << step;
      highest = sequence;
    }
    long bit = 1L << (highest - sequence);
    if ((seen & bit) != 0) {
      return false;
    }
    seen |= bit;
    accepted++;
    return true;
  }

  public long highest() {
    return highest;
  }

  public long lost() {
    return highest - accepted;
  }
}
