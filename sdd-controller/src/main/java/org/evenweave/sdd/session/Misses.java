package org.evenweave.sdd.session;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.evenweave.sdd.protocol.wire.MissedDecoder;

/** A host's misses in a session: packets out of slot and late starts, by queue. Immutable. */
public final class Misses {
  static final Misses NONE = new Misses(new TreeMap<>());

  private final SortedMap<Integer, Row> byQueue;

  private Misses(SortedMap<Integer, Row> byQueue) {
    this.byQueue = byQueue;
  }

  /** One queue's. */
  public static final class Row {
    private final long packetsOutOfSlot;
    private final long lateStarts;
    private final long latestStartNs;

    private Row(MissedDecoder.QueuesDecoder row) {
      packetsOutOfSlot = row.packetsOutOfSlot();
      lateStarts = row.lateStarts();
      latestStartNs = row.latestStartNs();
    }

    public long packetsOutOfSlot() {
      return packetsOutOfSlot;
    }

    public long lateStarts() {
      return lateStarts;
    }

    /** The longest delay of a slot's first packet. */
    public long latestStartNs() {
      return latestStartNs;
    }
  }

  /**
   * With the rows of a message instead of those of the same queues.
   *
   * @param queues rows of others than the first so many are dropped: they have no slots
   */
  Misses with(MissedDecoder message, int queues) {
    SortedMap<Integer, Row> rows = new TreeMap<>(byQueue);
    for (MissedDecoder.QueuesDecoder row : message.queues()) {
      if (row.queue() < queues) {
        rows.put((int) row.queue(), new Row(row));
      }
    }
    return new Misses(rows);
  }

  /** By queue. */
  public SortedMap<Integer, Row> byQueue() {
    return Collections.unmodifiableSortedMap(byQueue);
  }

  public long packetsOutOfSlot() {
    return byQueue.values().stream().mapToLong(Row::packetsOutOfSlot).reduce(0, Misses::plus);
  }

  public long lateStarts() {
    return byQueue.values().stream().mapToLong(Row::lateStarts).reduce(0, Misses::plus);
  }

  /** Of two counts that hosts say, the largest number at most. */
  public static long plus(long one, long other) {
    return one + Math.min(other, Long.MAX_VALUE - one);
  }
}
