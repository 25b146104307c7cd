package org.evenweave.sdd.handover;

import java.util.Optional;

/** A receiver of each change of an operator. Thread-safe. */
public interface PolicyRecipient {
  /**
   * Hands over a change; may take as long as an operator may wait.
   *
   * @return why it is not certain that the recipient has it; empty if it has
   */
  Optional<String> handOver(PolicyState state);
}
