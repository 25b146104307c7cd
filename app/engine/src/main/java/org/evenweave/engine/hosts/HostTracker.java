package org.evenweave.engine.hosts;

import java.util.function.Consumer;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Decides from hosts' packets which host is where: learns hosts up to a limit, checks claims to
 * their addresses before it acts on them, verifies those that are silent, and forgets those that
 * are gone. Belongs to the loop.
 *
 * <p>Any sign of life from elsewhere than a host is known to be is a claim: ARP of any form, RARP,
 * a probe for the address, an IPv4 packet from it.
 */
public final class HostTracker {
  /** A host seen within so many ticks of {@link HostAging} counts as checked. */
  private static final int CHECKED_TICKS = HostAging.VERIFY_TICKS + 1;

  private final Nib nib;
  private final SouthboundPort southbound;
  private final Runnable changed;
  private final Consumer<Host> found;
  private final HostEvents hostEvents;
  private final HostChecks checks;
  private final HostMoves moves;
  private final HostAging aging;

  /**
   * @param hostEvents takes what operators should know
   * @param changed runs whenever a host is new, has moved or is gone
   * @param found takes every host that has shown that it is at its known place
   */
  HostTracker(
      Nib nib,
      SouthboundPort southbound,
      EngineLoop loop,
      HostEvents hostEvents,
      Runnable changed,
      Consumer<Host> found) {
    this.nib = nib;
    this.southbound = southbound;
    this.changed = changed;
    this.found = found;
    this.hostEvents = hostEvents;
    this.checks = new HostChecks(nib, loop, this::request, new Outcomes());
    this.moves =
        new HostMoves(nib, loop::nanoTime, checks::check, this::learn, hostEvents::duplicate);
    this.aging = new HostAging(nib, loop, checks::check, this::search, changed);
  }

  private final class Outcomes implements HostChecks.Outcomes {
    @Override
    public void present(Host host) {
      moves.present(host);
    }

    @Override
    public void absent(Host host) {
      if (!moves.absent(host)) {
        aging.absent(host);
      }
    }

    @Override
    public void replaced(int address) {
      moves.replaced(address);
    }
  }

  /** Starts the verification of silent hosts. */
  void start() {
    aging.start();
  }

  void close() {
    aging.close();
  }

  /**
   * A packet came in with this host as its sender.
   *
   * @return false if the host is known elsewhere; the claim is checked first
   */
  public boolean seen(Host host) {
    Host known = nib.hostAt(host.address());
    if (isAtKnownPlace(host, known)) {
      return true;
    }
    if (!isPlausible(host)) {
      return known == null;
    }
    if (known == null || aging.isMissing(known)) {
      learn(host);
      return true;
    }
    moves.claimed(known, host);
    return false;
  }

  /**
   * A host asks whether an address is free (RFC 5227, section 2.1): it will use it if so.
   *
   * @param host as it would be known
   * @return false if another host is known by the address; it is checked whether that is still
   *     there
   */
  boolean probed(Host host) {
    Host known = nib.hostAt(host.address());
    if (isAtKnownPlace(host, known) || !isPlausible(host) || known == null) {
      return known == null || host.equals(known);
    }
    if (aging.isMissing(known)) {
      learn(host);
      return true;
    }
    moves.probed(known, host);
    return false;
  }

  /**
   * A guest is announced at a port by its MAC address alone, as hypervisors do when it migrates.
   */
  void announced(long mac, String switchId, int port) {
    for (int address : nib.hosts().addressesOf(mac)) {
      Host host = new Host(address, mac, switchId, port);
      Host known = nib.hostAt(address);
      if (!isAtKnownPlace(host, known) && isPlausible(host)) {
        if (aging.isMissing(known)) {
          learn(host);
        } else {
          moves.announced(known, host);
        }
      }
    }
  }

  /** Whether a known host has been seen a moment ago, so that others may be told it is there. */
  boolean isChecked(Host known) {
    return nib.hosts().isSeenWithin(known.address(), CHECKED_TICKS);
  }

  /** Checks whether a known host is still there; one that is missing is searched for already. */
  void check(Host known) {
    if (!aging.isMissing(known)) {
      checks.check(known);
    }
  }

  /** A port has come up: another host may be there than before. */
  void portUp(SwitchPort port) {
    aging.verifyAt(port);
  }

  private boolean isAtKnownPlace(Host host, Host known) {
    if (!host.equals(known)) {
      return false;
    }
    nib.hostSeen(host);
    checks.confirmed(host);
    aging.present(host);
    found.accept(host);
    return true;
  }

  private boolean isPlausible(Host host) {
    if (!nib.isUp(host.switchId(), host.port())) {
      return false;
    }
    Ipv4Prefix prefix = nib.prefixOf(host.switchId(), host.address());
    if (prefix != null
        && prefix.gateway() == host.address()
        && nib.edgePorts(host.switchId()).contains(host.port())) {
      hostEvents.gatewayClaimed(host);
    }
    return nib.isPlausible(host);
  }

  private void learn(Host host) {
    Host before = nib.hostAt(host.address());
    if (nib.hostSeen(host)) {
      changed.run();
      found.accept(host);
      if (before != null) {
        // What happened to one host may have happened to others, as when ports are swapped.
        aging.verifyAt(before.location());
        aging.verifyAt(host.location());
      }
    } else if (!nib.hosts().hasRoomAt(host.location())) {
      hostEvents.limitReached(host);
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

  private void search(Host host) {
    Ipv4Prefix prefix = nib.prefixOf(host.switchId(), host.address());
    if (prefix != null) {
      byte[] frame = GatewayFrames.request(prefix.gateway(), host.address()).serialize();
      for (int port : nib.edgePorts(host.switchId())) {
        southbound.sendPacket(host.switchId(), port, frame);
      }
    }
  }
}
