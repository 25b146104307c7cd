package org.evenweave.engine.hosts;

import java.util.function.LongSupplier;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.HostTable;
import org.evenweave.engine.packets.KeyedLimit;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.onlab.packet.MacAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports hosts' faults as events and log lines, at most one a minute for each address and port.
 */
final class HostEvents {
  /** An event about the same address or port is not repeated before. */
  static final long EVENT_PERIOD_NANOS = 60_000_000_000L;

  /** Addresses and ports with an event within that time; there are no events about further ones. */
  private static final int MAX_EVENTS = 256;

  private static final Logger LOG = LoggerFactory.getLogger(HostEvents.class);

  private final EventLog events;
  private final LongSupplier clockNanos;
  private final KeyedLimit<Integer> duplicates = new KeyedLimit<>(EVENT_PERIOD_NANOS, MAX_EVENTS);
  private final KeyedLimit<SwitchPort> gatewayClaims =
      new KeyedLimit<>(EVENT_PERIOD_NANOS, MAX_EVENTS);
  private final KeyedLimit<SwitchPort> limits = new KeyedLimit<>(EVENT_PERIOD_NANOS, MAX_EVENTS);

  /**
   * @param clockNanos the clock of {@link System#nanoTime}
   */
  HostEvents(EventLog events, LongSupplier clockNanos) {
    this.events = events;
    this.clockNanos = clockNanos;
  }

  /** A host answers at its known place while another place claims its address. */
  void duplicate(Host known, Host claimed) {
    if (duplicates.pass(known.address(), clockNanos.getAsLong()) >= 0) {
      note(
          Event.Kind.DUPLICATE_ADDRESS,
          known
              + " ("
              + MacAddress.valueOf(known.mac())
              + ") is claimed by "
              + MacAddress.valueOf(claimed.mac())
              + " at "
              + claimed.location()
              + ", and answers where it was");
    }
  }

  /** A host claims its gateway's address. */
  void gatewayClaimed(Host claimed) {
    if (gatewayClaims.pass(claimed.location(), clockNanos.getAsLong()) >= 0) {
      note(
          Event.Kind.GATEWAY_CLAIMED,
          "the gateway's address "
              + Ipv4Prefix.format(claimed.address())
              + " is claimed by "
              + MacAddress.valueOf(claimed.mac())
              + " at "
              + claimed.location());
    }
  }

  /** A host is not learned, as its port or switch has too many. */
  void limitReached(Host refused) {
    SwitchPort port = refused.location();
    if (limits.pass(port, clockNanos.getAsLong()) >= 0) {
      note(
          Event.Kind.HOST_LIMIT,
          port
              + ": no more hosts are learned, at most "
              + HostTable.MAX_PER_PORT
              + " of a port and "
              + HostTable.MAX_PER_SWITCH
              + " of a switch; the first refused is "
              + Ipv4Prefix.format(refused.address()));
    }
  }

  private void note(Event.Kind kind, String subject) {
    LOG.warn("{}: {}", kind.text(), subject);
    events.note(kind, subject, clockNanos.getAsLong());
  }
}
