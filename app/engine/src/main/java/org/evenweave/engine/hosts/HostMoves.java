package org.evenweave.engine.hosts;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.HostTable;
import org.evenweave.engine.nib.Nib;

/**
 * Claims that hosts are elsewhere than they are known to be, either at another port or with another
 * MAC address. One packet is enough to claim that, so the known place is checked first ({@link
 * HostChecks}): if the host answers there, it stays; if nothing answers, it has moved. A host at a
 * port that goes down is not known any more, so that its move need not be confirmed. Belongs to the
 * loop.
 */
final class HostMoves {
  /** Claims under examination at a time; further ones are ignored until repeated. */
  private static final int MAX_CLAIMS = 256;

  /** Of these, claims of one port. */
  private static final int MAX_CLAIMS_OF_PORT = 32;

  /**
   * Claims that wait for their turn: those of guests that are announced with all their addresses.
   */
  private static final int MAX_WAITING = HostTable.MAX_PER_PORT;

  /** How long the answer to one claim holds for the next, of the same address. */
  private static final long UPHELD_NANOS = 1_000_000_000L;

  private static final int MAX_UPHELD = 4096;

  private final Nib nib;
  private final LongSupplier clockNanos;
  private final Predicate<Host> check;
  private final Consumer<Host> moved;
  private final Duplicates duplicates;
  private final Map<Integer, Claim> claims = new HashMap<>();
  private final Deque<Host> waiting = new ArrayDeque<>();
  private final Map<Integer, Long> upheldAtNanos =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Long> eldest) {
          return size() > MAX_UPHELD;
        }
      };

  /** Called for a host that answers at its known place while another place claims its address. */
  interface Duplicates {
    void found(Host known, Host claimed);
  }

  private static final class Claim {
    final Host to;

    /** Whether it only asks if the address is free (RFC 5227, section 2.1). */
    boolean isProbe;

    Claim(Host to, boolean isProbe) {
      this.to = to;
      this.isProbe = isProbe;
    }
  }

  /**
   * @param clockNanos the clock of {@link System#nanoTime}
   * @param check checks a known host; false if it cannot now
   * @param moved takes a host that is where it was claimed to be
   */
  HostMoves(
      Nib nib,
      LongSupplier clockNanos,
      Predicate<Host> check,
      Consumer<Host> moved,
      Duplicates duplicates) {
    this.nib = nib;
    this.clockNanos = clockNanos;
    this.check = check;
    this.moved = moved;
    this.duplicates = duplicates;
  }

  /** A packet from another place claims the address of a known host. */
  void claimed(Host known, Host elsewhere) {
    Claim earlier = claims.get(known.address());
    if (earlier != null && earlier.to.equals(elsewhere)) {
      earlier.isProbe = false;
    } else if (!isUpheld(known)) {
      examine(known, new Claim(elsewhere, false));
    }
  }

  /** A host asks whether the address of a known host is free. */
  void probed(Host known, Host elsewhere) {
    examine(known, new Claim(elsewhere, true));
  }

  /** Somebody announces that a known host, with all its addresses, is elsewhere. */
  void announced(Host known, Host elsewhere) {
    boolean isQueued = !isUpheld(known) && !examine(known, new Claim(elsewhere, false));
    if (isQueued && waiting.size() < MAX_WAITING) {
      waiting.add(elsewhere);
    }
  }

  private boolean isUpheld(Host known) {
    Long upheld = upheldAtNanos.get(known.address());
    return upheld != null && clockNanos.getAsLong() - upheld < UPHELD_NANOS;
  }

  /** Returns false if there are too many claims. */
  private boolean examine(Host known, Claim claim) {
    if (claims.containsKey(known.address())) {
      return true;
    }
    if (claims.size() >= MAX_CLAIMS || claimsOf(claim.to) >= MAX_CLAIMS_OF_PORT) {
      return false;
    }
    claims.put(known.address(), claim);
    if (!check.test(known)) {
      claims.remove(known.address());
      return false;
    }
    return true;
  }

  /** A known host has answered at its place, or sent something else from there. */
  void present(Host known) {
    Claim claim = claims.remove(known.address());
    if (claim == null) {
      return;
    }
    if (!claim.isProbe) {
      upheldAtNanos.remove(known.address());
      upheldAtNanos.put(known.address(), clockNanos.getAsLong());
      duplicates.found(known, claim.to);
    }
    examineWaiting();
  }

  /**
   * A known host does not answer at its place.
   *
   * @return whether it was claimed elsewhere, and has moved
   */
  boolean absent(Host known) {
    Claim claim = claims.remove(known.address());
    if (claim != null) {
      moved.accept(claim.to);
      examineWaiting();
    }
    return claim != null;
  }

  /** Another host is known by the address now, or none: then the first claim counts. */
  void replaced(int address) {
    Claim claim = claims.remove(address);
    if (claim != null && nib.hostAt(address) == null) {
      moved.accept(claim.to);
    }
    examineWaiting();
  }

  private void examineWaiting() {
    while (!waiting.isEmpty()) {
      Host next = waiting.peek();
      Host known = nib.hostAt(next.address());
      boolean isOpen = known != null && !known.equals(next);
      if (isOpen && !examine(known, new Claim(next, false))) {
        return;
      }
      waiting.remove();
    }
  }

  private long claimsOf(Host claimed) {
    return claims.values().stream()
        .filter(claim -> claim.to.location().equals(claimed.location()))
        .count();
  }
}
