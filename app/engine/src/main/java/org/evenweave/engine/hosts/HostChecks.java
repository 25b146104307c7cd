package org.evenweave.engine.hosts;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.runtime.EngineLoop;

/**
 * Checks whether known hosts are where they are known to be: up to {@link #REQUESTS} ARP requests
 * go to the known place, until the host answers or sends anything else from there. What is not
 * answered within 0.75 s is not there. Belongs to the loop.
 */
final class HostChecks {
  /** Requests before a host counts as absent, and the pause after each. */
  static final int REQUESTS = 3;

  static final long PAUSE_NANOS = 250_000_000L;

  /** Checks in progress at a time. */
  static final int MAX_CHECKS = 256;

  private final Nib nib;
  private final EngineLoop loop;
  private final Consumer<Host> request;
  private final Outcomes outcomes;
  private final Map<Integer, Check> checks = new HashMap<>();

  /** What checks have found. */
  interface Outcomes {
    /** The host has answered or sent something else. */
    void present(Host host);

    /** The host has answered nothing. */
    void absent(Host host);

    /** Another host is known by the address now, or none. */
    void replaced(int address);
  }

  private static final class Check {
    final Host host;
    int requests;

    Check(Host host) {
      this.host = host;
    }
  }

  /**
   * @param request sends a host an ARP request, at its known place
   */
  HostChecks(Nib nib, EngineLoop loop, Consumer<Host> request, Outcomes outcomes) {
    this.nib = nib;
    this.loop = loop;
    this.request = request;
    this.outcomes = outcomes;
  }

  /**
   * Starts a check of a known host, unless one is in progress.
   *
   * @return false if too many are in progress; nothing is checked then
   */
  boolean check(Host known) {
    Check check = checks.get(known.address());
    if (check != null && check.host.equals(known)) {
      return true;
    }
    if (checks.size() >= MAX_CHECKS) {
      return false;
    }
    if (check != null) {
      checks.remove(known.address());
      outcomes.replaced(known.address());
    }
    Check started = new Check(known);
    checks.put(known.address(), started);
    requestNext(started);
    return true;
  }

  /** A known host has sent a packet from where it is known to be. */
  void confirmed(Host known) {
    Check check = checks.get(known.address());
    if (check != null && check.host.equals(known)) {
      checks.remove(known.address());
      outcomes.present(known);
    }
  }

  private void requestNext(Check check) {
    int address = check.host.address();
    if (checks.get(address) != check) {
      return;
    }
    boolean isKnown = check.host.equals(nib.hostAt(address));
    if (isKnown && check.requests < REQUESTS) {
      check.requests++;
      request.accept(check.host);
      loop.schedule(() -> requestNext(check), PAUSE_NANOS);
      return;
    }
    checks.remove(address);
    if (isKnown) {
      outcomes.absent(check.host);
    } else {
      outcomes.replaced(address);
    }
  }
}
