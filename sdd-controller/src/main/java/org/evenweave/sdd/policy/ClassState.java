package org.evenweave.sdd.policy;

/** The permitted and used rates of a class with flows at one host. Immutable. */
public final class ClassState {
  private final long rateBps;
  private final long arrivedBps;
  private final long sentBps;
  private final long queuedBytes;

  ClassState(long rateBps, ClassReports reports, int trafficClass) {
    this.rateBps = rateBps;
    this.arrivedBps = reports.arrivedBps(trafficClass);
    this.sentBps = reports.sentBps(trafficClass);
    this.queuedBytes = reports.queuedBytes(trafficClass);
  }

  /** What it may send. */
  public long rateBps() {
    return rateBps;
  }

  /** Whether the host has reported for long enough that its rates have been measured. */
  public boolean isMeasured() {
    return sentBps >= 0;
  }

  /** What applications gave in the last second or so. */
  public long arrivedBps() {
    return arrivedBps;
  }

  /** What it sent in the last second or so. */
  public long sentBps() {
    return sentBps;
  }

  /** What waited at the last report. */
  public long queuedBytes() {
    return queuedBytes;
  }
}
