package org.evenweave.wcmp.reduction;

/** There are fewer table entries than the groups need even at their smallest. */
public final class TableTooSmallException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final long leastEntries;

  public TableTooSmallException(long entries, long leastEntries) {
    super("entries is " + entries + "; the least sufficient value is " + leastEntries);
    this.leastEntries = leastEntries;
  }

  /** Table entries that would do. */
  public long leastEntries() {
    return leastEntries;
  }
}
