package org.evenweave.engine.hosts;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that silent hosts have left their known ports. A switch answers a known host's ARP itself
 * and routes its packets wherever they come in, so the controller receives nothing from a reachable
 * host, nor from one that was moved and has the gateway in its ARP cache. So each host is checked
 * after {@link #VERIFY_TICKS} without a packet of its own, as many in a tick as the controller and
 * each switch can do beside their work.
 *
 * <p>A host that does not answer is missing: it is searched for at all host ports of its switch,
 * and a claim to it counts at once. It is forgotten after {@link #SEARCHES} searches in as many
 * ticks, so that packets to it make the controller search again; but not while its switch answers
 * no probes, for then it may be the switch that is stalled. While its port sends much and something
 * there sends too, a full queue may drop the requests, and while its switch answers other requests
 * late, it may answer these late: then it takes {@link #UNCERTAIN_SEARCHES}. While a switch cannot
 * be reached, as when its master among several controllers changes, requests are lost; so one
 * search at least must lie between two rounds of probes that the switch answers.
 *
 * <p>Time is counted in ticks and not by a clock, so that a pause of the whole process leaves
 * answers their time. Belongs to the loop.
 */
final class HostAging {
  static final long TICK_NANOS = 1_000_000_000L;

  static final int VERIFY_TICKS = 2;

  /** Times in a tick at which hosts are checked, so that their answers do not come all at once. */
  private static final int TIMES_IN_TICK = 10;

  /** 1000 requests and answers a second, however many hosts there are. */
  static final int MAX_AT_A_TIME = 100;

  /** Of these, 100 a second of one switch, whose processor may be slow. */
  static final int MAX_OF_SWITCH_AT_A_TIME = 10;

  /** Hosts of a port that are checked at once; the others have their turn. */
  static final int MAX_VERIFIED_AT_PORT = 32;

  static final int SEARCHES = 3;

  /**
   * Searches that may be lost or late: of a queue that drops half of all packets, one in a thousand
   * million hosts that are there is forgotten.
   */
  static final int UNCERTAIN_SEARCHES = 30;

  /** Searches that start in one tick: each takes a frame for every host port of a switch. */
  static final int MAX_SEARCHES_PER_TICK = 20;

  /** Rounds of probes that the switch answers before one of its hosts is forgotten. */
  static final int ROUNDS = 2;

  private static final Logger LOG = LoggerFactory.getLogger(HostAging.class);

  private final Nib nib;
  private final EngineLoop loop;
  private final Predicate<Host> check;
  private final Consumer<Host> search;
  private final Runnable changed;

  /** By address, those that went missing first come first. */
  private final Map<Integer, Missing> missing = new LinkedHashMap<>();

  private int searchesInTick;
  private boolean closed;

  private static final class Missing {
    static final long NEVER = -1;

    final Host host;
    final long roundsBefore;
    int searches;

    /** Of these, such as are answered if somebody is there. */
    int certainSearches;

    /** The rounds at the first search after one of them; {@link #NEVER} if there was none. */
    long roundsAtSearch = NEVER;

    Missing(Host host, long roundsBefore) {
      this.host = host;
      this.roundsBefore = roundsBefore;
    }
  }

  /**
   * @param check checks a host at its known place
   * @param search asks for a host at all host ports of its switch
   * @param changed runs when hosts were forgotten
   */
  HostAging(
      Nib nib, EngineLoop loop, Predicate<Host> check, Consumer<Host> search, Runnable changed) {
    this.nib = nib;
    this.loop = loop;
    this.check = check;
    this.search = search;
    this.changed = changed;
  }

  void start() {
    loop.schedule(this::tick, TICK_NANOS);
  }

  void close() {
    closed = true;
  }

  /** A known host has sent a packet from where it is known to be. */
  void present(Host known) {
    missing.remove(known.address());
  }

  /** A known host does not answer at its place, and nobody claims it. */
  void absent(Host known) {
    if (!isMissing(known)) {
      Missing found = new Missing(known, nib.probeRounds(known.switchId()));
      missing.put(known.address(), found);
      search(found);
    }
  }

  /** Whether a known host did not answer at its place, and has not been seen since. */
  boolean isMissing(Host known) {
    Missing found = missing.get(known.address());
    return found != null && found.host.equals(known);
  }

  /** Checks the hosts of a port at once: something has happened there. */
  void verifyAt(SwitchPort port) {
    List<Host> hosts = nib.hosts().hostsAt(port);
    hosts.subList(0, Math.min(hosts.size(), MAX_VERIFIED_AT_PORT)).forEach(this::verify);
  }

  private void verify(Host host) {
    if (nib.connected(host.switchId()) && !isMissing(host)) {
      boolean unused = check.test(host); // They are few, whether or not each costs a probe.
    }
  }

  private void verifySome() {
    if (!closed) {
      nib.hosts()
          .silentFor(VERIFY_TICKS, MAX_AT_A_TIME, MAX_OF_SWITCH_AT_A_TIME)
          .forEach(this::verify);
    }
  }

  private void tick() {
    if (closed) {
      return;
    }
    start();
    searchesInTick = 0;
    nib.hosts().tick();
    verifySome();
    for (int time = 1; time < TIMES_IN_TICK; time++) {
      loop.schedule(this::verifySome, time * TICK_NANOS / TIMES_IN_TICK);
    }
    missing.values().removeIf(each -> !each.host.equals(nib.hostAt(each.host.address())));
    List<Host> gone = new ArrayList<>();
    for (Missing each : missing.values()) {
      if (isGone(each)) {
        gone.add(each.host);
      } else if (nib.connected(each.host.switchId())) {
        search(each);
      }
    }
    if (!gone.isEmpty()) {
      forget(gone);
    }
  }

  private boolean isGone(Missing each) {
    long rounds = nib.probeRounds(each.host.switchId());
    return isSearchedFor(each)
        && nib.connected(each.host.switchId())
        && each.roundsAtSearch != Missing.NEVER
        && rounds > each.roundsAtSearch
        && rounds - each.roundsBefore >= ROUNDS;
  }

  private void search(Missing each) {
    long rounds = nib.probeRounds(each.host.switchId());
    boolean isFirstAfterRound = each.roundsAtSearch == Missing.NEVER && rounds > each.roundsBefore;
    if ((!isSearchedFor(each) || isFirstAfterRound) && searchesInTick < MAX_SEARCHES_PER_TICK) {
      searchesInTick++;
      each.searches++;
      each.certainSearches += nib.portLoad().mayLoseRequests(each.host.location()) ? 0 : 1;
      each.roundsAtSearch = isFirstAfterRound ? rounds : each.roundsAtSearch;
      search.accept(each.host);
    }
  }

  private static boolean isSearchedFor(Missing each) {
    return each.certainSearches >= SEARCHES || each.searches >= UNCERTAIN_SEARCHES;
  }

  private void forget(List<Host> gone) {
    LOG.info(
        "removed {} hosts that answer ARP requests at none of their switch's ports: {}{}",
        gone.size(),
        gone.get(0),
        gone.size() == 1 ? "" : " and others");
    for (Host host : gone) {
      missing.remove(host.address());
      nib.hostGone(host);
    }
    changed.run();
  }
}
