package org.evenweave.sdd.handover;

/** The store of a controller for operators' changes. Thread-safe. */
public interface PolicyExchange {
  /** The newest state that this controller knows. */
  PolicyState newest();

  /** Whether that one counts here. */
  boolean isInForce();

  /** Another controller's state: taken if it is newer, ignored else. */
  void offered(PolicyState state);
}
