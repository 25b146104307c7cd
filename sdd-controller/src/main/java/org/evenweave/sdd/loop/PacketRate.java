package org.evenweave.sdd.loop;

/** A pair of which no day carries all demand, and how fast it may use the packet switch. */
public final class PacketRate {
  private final int source;
  private final int destination;
  private final long remainderBytes;
  private final long rateBps;

  PacketRate(int source, int destination, long remainderBytes, long rateBps) {
    this.source = source;
    this.destination = destination;
    this.remainderBytes = remainderBytes;
    this.rateBps = rateBps;
  }

  /** The source's number. */
  public int source() {
    return source;
  }

  /** The destination's number. */
  public int destination() {
    return destination;
  }

  /** What no circuit carries of the pair's demand. */
  public long remainderBytes() {
    return remainderBytes;
  }

  /** In the times in which it has no circuit, nor will have one soon. */
  public long rateBps() {
    return rateBps;
  }
}
