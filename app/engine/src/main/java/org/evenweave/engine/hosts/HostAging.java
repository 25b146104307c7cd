package org.evenweave.engine.hosts;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.runtime.EngineLoop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forgets hosts that are gone. A switch answers a known host's ARP itself and routes its packets,
 * so that the controller receives nothing from a reachable host; it sends each an ARP request every
 * {@link #SILENT_TICKS}, which is 2 packets in 10 minutes for a host. OpenFlow's idle time-out
 * counts packets to a host, not from it.
 *
 * <p>Time is counted in ticks and not by a clock, so that a pause of the whole process leaves
 * answers their time. Belongs to the loop.
 */
final class HostAging {
  static final long TICK_NANOS = 1_000_000_000L;

  /** 10 minutes. */
  static final int SILENT_TICKS = 600;

  /** Requests that a host may leave unanswered, and the ticks after each. */
  static final int REQUESTS = 3;

  static final int REQUEST_TICKS = 10;

  /**
   * Hosts that get their first request in one tick: spreads out those that were learned together.
   */
  static final int MAX_PER_TICK = 100;

  private static final Logger LOG = LoggerFactory.getLogger(HostAging.class);

  private final Nib nib;
  private final EngineLoop loop;
  private final Consumer<Host> request;
  private final Runnable changed;
  private final Map<Integer, Search> searches = new HashMap<>();
  private boolean closed;

  private static final class Search {
    final Host host;
    int requests;
    int ticksLeft;

    Search(Host host) {
      this.host = host;
    }
  }

  /**
   * @param request asks a host whether it is there
   * @param changed runs when hosts were forgotten
   */
  HostAging(Nib nib, EngineLoop loop, Consumer<Host> request, Runnable changed) {
    this.nib = nib;
    this.loop = loop;
    this.request = request;
    this.changed = changed;
  }

  void start() {
    loop.schedule(this::tick, TICK_NANOS);
  }

  void close() {
    closed = true;
  }

  /** A known host has sent a packet from where it is known to be. */
  void confirmed(Host known) {
    searches.remove(known.address());
  }

  private void tick() {
    if (closed) {
      return;
    }
    start();
    nib.hosts().tick();
    for (Host host : nib.hosts().silentFor(SILENT_TICKS, MAX_PER_TICK)) {
      searches.put(host.address(), new Search(host));
    }
    List<Host> gone = new ArrayList<>();
    searches.values().removeIf(search -> ended(search, gone));
    if (!gone.isEmpty()) {
      LOG.info(
          "{} hosts left {} ARP requests unanswered and are forgotten: {}{}",
          gone.size(),
          REQUESTS,
          gone.get(0),
          gone.size() == 1 ? "" : " and others");
      gone.forEach(nib::hostGone);
      changed.run();
    }
  }

  private boolean ended(Search search, List<Host> gone) {
    if (!search.host.equals(nib.hostAt(search.host.address()))) {
      return true;
    }
    if (search.ticksLeft-- > 0) {
      return false;
    }
    if (search.requests == REQUESTS) {
      gone.add(search.host);
      return true;
    }
    search.requests++;
    search.ticksLeft = REQUEST_TICKS - 1;
    request.accept(search.host);
    return false;
  }
}
