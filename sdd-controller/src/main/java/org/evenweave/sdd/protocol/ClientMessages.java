package org.evenweave.sdd.protocol;

import org.evenweave.sdd.protocol.wire.CircuitStatsDecoder;
import org.evenweave.sdd.protocol.wire.ClockStatusDecoder;
import org.evenweave.sdd.protocol.wire.DemandReportDecoder;
import org.evenweave.sdd.protocol.wire.EdgeReportDecoder;
import org.evenweave.sdd.protocol.wire.FollowingDecoder;
import org.evenweave.sdd.protocol.wire.HelloDecoder;
import org.evenweave.sdd.protocol.wire.MissedDecoder;
import org.evenweave.sdd.protocol.wire.PolicyChangedDecoder;
import org.evenweave.sdd.protocol.wire.QueueStatsDecoder;
import org.evenweave.sdd.protocol.wire.ReplyDecoder;
import org.evenweave.sdd.protocol.wire.TriggerFiredDecoder;

/**
 * The messages of hosts and the circuit switch to the controller. Each message has been checked:
 * shape, enumerations and ranges. The decoders are valid during the call only; groups and data are
 * to be read in the schema's order.
 *
 * <p>Integers of 64 bits are 0 or more, except times and the clock's offset.
 */
public interface ClientMessages {
  void hello(HelloDecoder message);

  void demandReport(DemandReportDecoder message);

  void clockStatus(ClockStatusDecoder message);

  void queueStats(QueueStatsDecoder message);

  void triggerFired(TriggerFiredDecoder message);

  void missed(MissedDecoder message);

  void policyChanged(PolicyChangedDecoder message);

  void reply(ReplyDecoder message);

  void circuitStats(CircuitStatsDecoder message);

  void edgeReport(EdgeReportDecoder message);

  void following(FollowingDecoder message);
}
