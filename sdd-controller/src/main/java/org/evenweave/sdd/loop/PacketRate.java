package org.evenweave.sdd.loop;

/** A pair or class with demand that no day carries, and its rate through the packet switch. */
public final class PacketRate {
  private final int circuitClass;
  private final int source;
  private final int destination;
  private final long remainderBytes;
  private final long rateBps;

  PacketRate(int circuitClass, int source, int destination, long remainderBytes, long rateBps) {
    this.circuitClass = circuitClass;
    this.source = source;
    this.destination = destination;
    this.remainderBytes = remainderBytes;
    this.rateBps = rateBps;
  }

  /** The class of the pair's flows, 0 if they are in none. */
  public int circuitClass() {
    return circuitClass;
  }

  /** The source's number. */
  public int source() {
    return source;
  }

  /** The destination's number. */
  public int destination() {
    return destination;
  }

  /** What no circuit carries of the class's demand. */
  public long remainderBytes() {
    return remainderBytes;
  }

  /** In the times in which it has no circuit, nor will have one soon. */
  public long rateBps() {
    return rateBps;
  }
}
