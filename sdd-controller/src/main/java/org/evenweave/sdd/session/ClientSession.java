package org.evenweave.sdd.session;

import org.evenweave.sdd.protocol.ProtocolException;
import org.evenweave.sdd.protocol.wire.BooleanType;
import org.evenweave.sdd.protocol.wire.CircuitStatsDecoder;
import org.evenweave.sdd.protocol.wire.ClockStatusDecoder;
import org.evenweave.sdd.protocol.wire.DemandReportDecoder;
import org.evenweave.sdd.protocol.wire.EdgeReportDecoder;
import org.evenweave.sdd.protocol.wire.MissedDecoder;
import org.evenweave.sdd.protocol.wire.PolicyChangedDecoder;
import org.evenweave.sdd.protocol.wire.QueueStatsDecoder;
import org.evenweave.sdd.protocol.wire.Reason;
import org.evenweave.sdd.protocol.wire.ReplyDecoder;
import org.evenweave.sdd.protocol.wire.TriggerFiredDecoder;

/**
 * The messages that a welcomed client may send, by its role: a host, a circuit switch or an edge.
 * Any other message is a {@link ProtocolException}.
 */
final class ClientSession {
  private final SessionFactory sessionFactory;
  private final SharedClock clock;
  private final SessionListener listener;

  /** All but one of these three are null. */
  private final HostSession host;

  private final CircuitSession circuitSwitch;
  private final EdgeSession edge;

  ClientSession(
      SessionFactory.Admission admission,
      SessionFactory sessionFactory,
      SharedClock clock,
      SessionListener listener) {
    this.sessionFactory = sessionFactory;
    this.clock = clock;
    this.listener = listener;
    this.host = admission.host();
    this.circuitSwitch = admission.circuitSwitch();
    this.edge = admission.edge();
  }

  private Client client() {
    if (host != null) {
      return host;
    }
    return edge != null ? edge : circuitSwitch;
  }

  /** The session is up. */
  void isUp() {
    if (host != null) {
      listener.hostUp(host);
    }
  }

  /** The session has ended. */
  void end() {
    sessionFactory.remove(host, circuitSwitch, edge);
    client().ended();
    if (host != null) {
      listener.hostDown(host);
    }
  }

  private HostSession host(String message) throws ProtocolException {
    if (host == null) {
      throw new ProtocolException(message, "only a host may send it");
    }
    return host;
  }

  void demandReport(DemandReportDecoder message) throws ProtocolException {
    HostSession reporter = host("demandReport");
    reporter.noteClock(message.timeNs(), clock.nowNs());
    reporter.update(new QueueDemand(message));
    listener.demandReported(reporter);
  }

  void clockStatus(ClockStatusDecoder message) throws ProtocolException {
    host("clockStatus").noteClock(message.timeNs(), clock.nowNs());
    host.update(new HostClock(message));
  }

  void missed(MissedDecoder message) throws ProtocolException {
    HostSession reporter = host("missed");
    reporter.update(reporter.misses().with(message, sessionFactory.queues()));
  }

  void policyChanged(PolicyChangedDecoder message) throws ProtocolException {
    Reason why = message.safe() == BooleanType.YES ? message.reason() : Reason.NONE;
    if (why != host("policyChanged").fallback()) {
      host.log()
          .warn(
              "{} {}",
              host.name(),
              message.safe() == BooleanType.YES
                  ? "fell back to its safe policy: " + message.reason()
                  : "follows the controller again");
    }
    host.fellBack(why);
  }

  void triggerFired(TriggerFiredDecoder message) throws ProtocolException {
    listener.triggerFired(host("triggerFired"), new TriggerEvent(message));
  }

  /**
   * @return whether it was asked for
   */
  boolean queueStats(QueueStatsDecoder message) throws ProtocolException {
    return host("queueStats").answered(message);
  }

  /**
   * @return whether there was a request
   */
  boolean reply(ReplyDecoder message) {
    return client().answered(message);
  }

  void circuitStats(CircuitStatsDecoder message) throws ProtocolException {
    if (circuitSwitch == null) {
      throw new ProtocolException("circuitStats", "only a circuit switch may send it");
    }
    circuitSwitch.update(CircuitTotals.of(message));
  }

  void edgeReport(EdgeReportDecoder message) throws ProtocolException {
    if (edge == null) {
      throw new ProtocolException("edgeReport", "only an edge may send it");
    }
    edge.update(message);
  }
}
