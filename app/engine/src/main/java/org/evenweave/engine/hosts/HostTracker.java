package org.evenweave.engine.hosts;

import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.HostTable;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.packets.KeyedLimit;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.onlab.packet.MacAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides from hosts' packets which host is where: learns hosts up to a limit, confirms moves
 * before it acts on them, and forgets hosts that are gone. Belongs to the loop.
 */
public final class HostTracker {
  /** An event about the same address or port is not repeated before. */
  static final long EVENT_PERIOD_NANOS = 60_000_000_000L;

  /** Addresses and ports with an event within that time; there are no events about further ones. */
  private static final int MAX_EVENTS = 256;

  private static final Logger LOG = LoggerFactory.getLogger(HostTracker.class);

  private final Nib nib;
  private final SouthboundPort southbound;
  private final EngineLoop loop;
  private final EventLog events;
  private final Runnable changed;
  private final HostMoves moves;
  private final HostAging aging;
  private final KeyedLimit<Integer> duplicateEvents =
      new KeyedLimit<>(EVENT_PERIOD_NANOS, MAX_EVENTS);
  private final KeyedLimit<SwitchPort> limitEvents =
      new KeyedLimit<>(EVENT_PERIOD_NANOS, MAX_EVENTS);

  /**
   * @param changed runs whenever a host is new, has moved or is gone
   */
  public HostTracker(
      Nib nib, SouthboundPort southbound, EngineLoop loop, EventLog events, Runnable changed) {
    this.nib = nib;
    this.southbound = southbound;
    this.loop = loop;
    this.events = events;
    this.changed = changed;
    this.moves = new HostMoves(nib, loop, this::request, this::learn, this::duplicate);
    this.aging = new HostAging(nib, loop, this::request, changed);
  }

  /** Starts the aging of silent hosts. */
  public void start() {
    aging.start();
  }

  public void close() {
    aging.close();
  }

  /**
   * A packet came in with this host as its sender.
   *
   * @return false if the host is known elsewhere; the move has to be confirmed first
   */
  public boolean seen(Host host) {
    Host known = nib.hostAt(host.address());
    if (host.equals(known)) {
      nib.hostSeen(host);
      moves.confirmed(host);
      aging.confirmed(host);
      return true;
    }
    if (!nib.isUp(host.switchId(), host.port()) || !nib.mayBe(host)) {
      return known == null;
    }
    if (known != null) {
      moves.claimed(known, host);
      return false;
    }
    learn(host);
    return true;
  }

  private void learn(Host host) {
    if (nib.hostSeen(host)) {
      changed.run();
    } else if (!nib.hosts().hasRoomAt(host.location())) {
      limitReached(host);
    }
  }

  private void request(Host host) {
    Ipv4Prefix prefix = nib.prefixOf(host.switchId(), host.address());
    if (prefix != null) {
      southbound.sendPacket(
          host.switchId(),
          host.port(),
          GatewayFrames.request(prefix.gateway(), host.address(), host.mac()).serialize());
    }
  }

  private void duplicate(Host known, Host claimed) {
    if (duplicateEvents.pass(known.address(), loop.nanoTime()) >= 0) {
      note(
          Event.Kind.DUPLICATE_ADDRESS,
          describe(known)
              + " is claimed by "
              + MacAddress.valueOf(claimed.mac())
              + " at "
              + claimed.location()
              + ", and answers where it was");
    }
  }

  private void limitReached(Host refused) {
    SwitchPort port = refused.location();
    if (limitEvents.pass(port, loop.nanoTime()) >= 0) {
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
    events.note(kind, subject, loop.nanoTime());
  }

  private static String describe(Host host) {
    return host + " (" + MacAddress.valueOf(host.mac()) + ")";
  }
}
