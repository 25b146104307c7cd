package org.evenweave.sdd.handover;

/** Where a controller keeps what operators changed. Thread-safe. */
public interface PolicyExchange {
  /** The newest state that this controller knows. */
  PolicyState newest();

  /** Whether that one counts here. */
  boolean isInForce();

  /** Another controller's state: taken if it is newer, ignored else. */
  void offered(PolicyState state);
}
