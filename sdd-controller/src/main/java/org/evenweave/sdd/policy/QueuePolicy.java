package org.evenweave.sdd.policy;

import java.util.Map;
import org.evenweave.sdd.protocol.FlowMatch;
import org.evenweave.sdd.session.HostSession;

/**
 * What decides on queues beside the schedule, by what hosts report. Called by network threads; must
 * not block.
 */
public interface QueuePolicy {
  /** The flows that belong in the policy's queues, and these queues' numbers. */
  Map<FlowMatch, Integer> queues();

  /** A host has connected, and has none of the conditions that it had: opens the queues. */
  void hostUp(HostSession host);

  /** A new demand report of the host is there. */
  void demandReported(HostSession host);
}
