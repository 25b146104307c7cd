package org.evenweave.engine.hosts;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.runtime.EngineLoop;

/**
 * Hosts that are claimed to be elsewhere than they are known to be, be it at another port or with
 * another MAC address. One packet is enough to claim that, so an ARP request goes to the known
 * place: if the host answers there, it stays; if nothing answers, it has moved. A host at a port
 * that goes down is not known any more, so that its move need not be confirmed. Belongs to the
 * loop.
 */
final class HostMoves {
  /** Requests before a host counts as silent, and the pause after each. */
  static final int REQUESTS = 3;

  static final long PAUSE_NANOS = 250_000_000L;

  /** Moves under confirmation at a time; further claims are ignored until repeated. */
  private static final int MAX_MOVES = 256;

  /** Of these, claimed at one port. */
  private static final int MAX_MOVES_TO_PORT = 32;

  /** How long the answer to one claim holds for the next, of the same address. */
  private static final long UPHELD_NANOS = 1_000_000_000L;

  private static final int MAX_UPHELD = 4096;

  private final Nib nib;
  private final EngineLoop loop;
  private final Consumer<Host> request;
  private final Consumer<Host> moved;
  private final Duplicates duplicates;
  private final Map<Integer, Move> moves = new HashMap<>();
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

  private static final class Move {
    final Host from;
    final Host to;
    int requests;

    Move(Host from, Host to) {
      this.from = from;
      this.to = to;
    }
  }

  /**
   * @param request asks a host whether it is there
   * @param moved takes a host where it is now
   */
  HostMoves(
      Nib nib,
      EngineLoop loop,
      Consumer<Host> request,
      Consumer<Host> moved,
      Duplicates duplicates) {
    this.nib = nib;
    this.loop = loop;
    this.request = request;
    this.moved = moved;
    this.duplicates = duplicates;
  }

  /** A packet from another place claims the address of a known host. */
  void claimed(Host known, Host elsewhere) {
    Long upheld = upheldAtNanos.get(known.address());
    boolean settled = upheld != null && loop.nanoTime() - upheld < UPHELD_NANOS;
    if (settled
        || moves.containsKey(known.address())
        || moves.size() >= MAX_MOVES
        || movesTo(elsewhere) >= MAX_MOVES_TO_PORT) {
      return;
    }
    Move move = new Move(known, elsewhere);
    moves.put(known.address(), move);
    goOn(move);
  }

  /** A known host has sent a packet from where it is known to be. */
  void confirmed(Host known) {
    Move move = moves.get(known.address());
    if (move != null && move.from.equals(known)) {
      moves.remove(known.address());
      upheldAtNanos.remove(known.address());
      upheldAtNanos.put(known.address(), loop.nanoTime());
      duplicates.found(known, move.to);
    }
  }

  private void goOn(Move move) {
    if (moves.get(move.from.address()) != move) {
      return;
    }
    Host known = nib.hostAt(move.from.address());
    boolean stillThere = move.from.equals(known);
    if (stillThere && move.requests < REQUESTS) {
      move.requests++;
      request.accept(known);
      loop.schedule(() -> goOn(move), PAUSE_NANOS);
      return;
    }
    moves.remove(move.from.address());
    if (stillThere || known == null) {
      moved.accept(move.to);
    }
  }

  private long movesTo(Host claimed) {
    return moves.values().stream()
        .filter(move -> move.to.port() == claimed.port())
        .filter(move -> move.to.switchId().equals(claimed.switchId()))
        .count();
  }
}
