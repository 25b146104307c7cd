package org.evenweave.engine.links;

/**
 * The recent probes of one direction of a link, lost or received. Every round sends a small one and
 * one of the full size, one right after the other. Not thread-safe.
 *
 * <p><b>MTU.</b> The pair is its own control: both take the same way at the same time, and differ
 * in size only. When of {@link #ROUNDS_TO_TOO_SMALL} pairs in a row the small one arrived and the
 * full one did not, the MTU of the link is too small. A link that loses a tenth of all packets,
 * whatever their size, looks like that once in some hundred thousand rounds. {@link
 * #ROUNDS_TO_RESTORED} full ones in a row show that it is large enough.
 *
 * <p><b>Full queues.</b> Probes wait in the queue before the link, as all packets do, and a full
 * queue drops some of each size, large ones sooner if it counts bytes. So on a link under load
 * ({@link DirectionLoss#isBusy}) a lost probe is no evidence about the link; its counters are; and
 * it takes {@link #BUSY_ROUNDS_TO_TOO_SMALL} pairs to show an MTU: of a queue that drops nine
 * tenths, one in 80,000 series of pairs looks so.
 *
 * <p><b>Loss.</b> A direction is lossy if of the last {@link #WINDOW} small probes {@link
 * #LEAST_LOST} were lost, and at least one of them in each half. That finds a loss of 20 % in a
 * minute in nine of ten cases; the counters of the two ends find far less ({@link DirectionLoss})
 * where packets are damaged or lost between them, but not packets that are damaged where nobody
 * checks.
 */
final class ProbeHistory {
  static final int ROUNDS_TO_TOO_SMALL = 5;
  static final int BUSY_ROUNDS_TO_TOO_SMALL = 15;
  static final int ROUNDS_TO_RESTORED = 3;

  /** A minute at a round in two seconds. */
  static final int WINDOW = 30;

  static final int LEAST_LOST = 4;

  /** Fewer rounds show no difference between their halves. */
  private static final int LEAST_ROUNDS = 8;

  /** The latest rounds, the last one in the lowest bit: whether the small probe was lost. */
  private long lost;

  private int rounds;

  /** Pairs in a row that show too small an MTU, in parts of {@link #BUSY_ROUNDS_TO_TOO_SMALL}. */
  private int evidenceOfMtu;

  private int fullArrivedInRow;
  private boolean tooSmall;

  /**
   * A round is over.
   *
   * @param small whether the small probe arrived
   * @param full whether that of the full size did
   * @param mayBeQueue whether one that did not may have been dropped by a full queue
   */
  void add(boolean small, boolean full, boolean mayBeQueue) {
    if (small || !mayBeQueue) {
      lost = lost << 1 | (small ? 0 : 1);
      rounds = Math.min(WINDOW, rounds + 1);
    }
    fullArrivedInRow = full ? fullArrivedInRow + 1 : 0;
    if (full) {
      evidenceOfMtu = 0;
    } else if (small) {
      evidenceOfMtu += mayBeQueue ? 1 : BUSY_ROUNDS_TO_TOO_SMALL / ROUNDS_TO_TOO_SMALL;
    }
    if (evidenceOfMtu >= BUSY_ROUNDS_TO_TOO_SMALL) {
      tooSmall = true;
    } else if (fullArrivedInRow >= ROUNDS_TO_RESTORED) {
      tooSmall = false;
    }
  }

  /** The link was down meanwhile: what was lost before says nothing any more. */
  void restart() {
    lost = 0;
    rounds = 0;
    evidenceOfMtu = 0;
    fullArrivedInRow = 0;
  }

  /** Whether the link carries small packets and none of the full size. */
  boolean isMtuTooSmall() {
    return tooSmall;
  }

  /** Whether the MTU is too small, or the latest pair whose small probe arrived points to that. */
  boolean pointsToMtu() {
    return tooSmall || evidenceOfMtu > 0;
  }

  /** Whether so many small probes are lost that the direction is lossy. */
  boolean losesProbes() {
    int half = rounds / 2;
    int later = Long.bitCount(lost & mask(half));
    int all = lostProbes();
    return rounds >= LEAST_ROUNDS && all >= LEAST_LOST && later > 0 && all > later;
  }

  /** Whether fewer than half as many are lost as make a direction lossy. */
  boolean isClean() {
    return rounds > 0 && 2 * lostProbes() < LEAST_LOST;
  }

  /** Small probes sent in the window. */
  int probes() {
    return rounds;
  }

  /** How many of them were lost. */
  int lostProbes() {
    return Long.bitCount(lost & mask(rounds));
  }

  private static long mask(int latest) {
    return (1L << latest) - 1;
  }
}
