package org.evenweave.sdd.sharing;

/** Guarantees that do not add up. */
public final class GuaranteeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final int trafficClass;
  private final String reason;

  GuaranteeException(int trafficClass, long guaranteedBps, long mostBps, boolean isCeiling) {
    super("guarantees of class " + trafficClass + " do not fit");
    this.trafficClass = trafficClass;
    this.reason =
        isCeiling
            ? "guarantees of " + guaranteedBps + " bit/s exceed the limit of " + mostBps + " bit/s"
            : "its classes' guarantees, " + guaranteedBps + " bit/s, exceed its own, " + mostBps;
  }

  /** The class of the tree; 0 is the root. */
  public int trafficClass() {
    return trafficClass;
  }

  /** What does not fit, in bits per second. */
  public String reason() {
    return reason;
  }
}
