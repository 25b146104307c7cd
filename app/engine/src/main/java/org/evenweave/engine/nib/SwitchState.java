package org.evenweave.engine.nib;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/**
 * The known state of a switch that is or was connected. The ports of a switch that is not
 * connected, or has just come back, are as it last reported them.
 */
final class SwitchState {
  private boolean connected;
  private boolean tablesKnown;
  private boolean everRead;
  private boolean portsComplete;
  private boolean portsEverComplete;
  private final Map<Integer, Long> speedOfUpPort = new TreeMap<>();
  private final Set<Integer> downPorts = new HashSet<>();

  /** The ports reported since it connected, until all of them are. */
  private Set<Integer> reported = new HashSet<>();

  /** The ports that its rules forwarded to when its tables were first read. */
  private Set<Integer> adoptedPorts = Set.of();

  /** The ports that its rules forwarded to when its tables were read last. */
  private Set<Integer> usedPorts = Set.of();

  /** Whether it had been read before it connected. */
  private boolean reconnected;

  private boolean settled;
  private int roundsSinceRead;
  private long probeRounds;

  void connect() {
    reconnected = everRead;
    connected = true;
    tablesKnown = false;
    portsComplete = false;
    settled = false;
    reported = new HashSet<>();
  }

  void disconnect() {
    connected = false;
    tablesKnown = false;
  }

  boolean isConnected() {
    return connected;
  }

  /** Whether it is connected and its tables are known. */
  boolean isRead() {
    return connected && tablesKnown;
  }

  /**
   * Whether it is known well enough to be programmed: a switch that reconnects forwards to ports of
   * which nothing is known until they are reported and probed, and others forward to it there. To
   * compute routes before that would take away what works.
   *
   * @param mayBeFound whether a port that is up may yet turn out to have a link
   * @param isLink whether a port is to have a link
   */
  boolean isSettled(IntPredicate mayBeFound, IntPredicate isLink) {
    settled =
        settled
            || roundsSinceRead >= TrustedLinks.ROUNDS_TO_LOSS
            || (!mayGainLink(usedPorts, mayBeFound)
                && !(reconnected && mayGainLink(upPorts(), isLink.and(mayBeFound))));
    return settled;
  }

  private boolean mayGainLink(Set<Integer> ports, IntPredicate mayBeFound) {
    return ports.stream().anyMatch(port -> mayBeUp(port) && mayBeFound.test(port));
  }

  /** Rounds of probes that count for the switch, since ever. */
  long probeRounds() {
    return probeRounds;
  }

  void probeRoundPassed() {
    probeRounds++;
    roundsSinceRead += isRead() && portsComplete ? 1 : 0;
  }

  /** Whether all of its ports have been reported since it connected. */
  boolean hasAllPorts() {
    return portsComplete;
  }

  /** Whether all of its ports have been reported at some time. */
  boolean hadAllPorts() {
    return portsEverComplete;
  }

  /** All ports that it has reported, up or down. */
  Set<Integer> allPorts() {
    Set<Integer> all = new HashSet<>(speedOfUpPort.keySet());
    all.addAll(downPorts);
    return all;
  }

  /** Whether its tables were known at some time, so that it forwards by them at least. */
  boolean wasEverRead() {
    return everRead;
  }

  /**
   * Its tables are known.
   *
   * @return whether they are for the first time
   */
  boolean tablesRead(Set<Integer> newUsedPorts) {
    boolean first = !everRead;
    tablesKnown = true;
    everRead = true;
    roundsSinceRead = 0;
    usedPorts = new TreeSet<>(newUsedPorts);
    adoptedPorts = first ? usedPorts : adoptedPorts;
    return first;
  }

  /** Its tables are taken to be as computed, without having been read. */
  void assumeTables() {
    everRead = true;
  }

  Set<Integer> adoptedPorts() {
    return adoptedPorts;
  }

  /**
   * A port appeared, changed or went.
   *
   * @return whether that is new
   */
  boolean portChanged(int port, boolean up, long speedBps) {
    if (!portsComplete) {
      reported.add(port);
    }
    if (!up) {
      downPorts.add(port);
      return speedOfUpPort.remove(port) != null;
    }
    downPorts.remove(port);
    Long before = speedOfUpPort.put(port, speedBps);
    return before == null || before != speedBps;
  }

  /**
   * All of its ports have been reported.
   *
   * @return those that it had before and has not any more
   */
  List<Integer> portsComplete() {
    if (portsComplete) {
      return List.of();
    }
    portsComplete = true;
    portsEverComplete = true;
    Set<Integer> gone = new TreeSet<>(speedOfUpPort.keySet());
    gone.removeAll(reported);
    reported = Set.of();
    return List.copyOf(gone);
  }

  Set<Integer> upPorts() {
    return speedOfUpPort.keySet();
  }

  boolean isDown(int port) {
    return downPorts.contains(port);
  }

  /** Whether the port is known to be up. */
  boolean isUp(int port) {
    return speedOfUpPort.containsKey(port);
  }

  /** Whether the switch has reported such a port. */
  boolean hasPort(int port) {
    return isUp(port) || isDown(port);
  }

  /** Whether the port may be up: it is not known to be down, nor known not to be there. */
  boolean mayBeUp(int port) {
    return isUp(port) || (!isDown(port) && !(connected && portsComplete));
  }

  /** As the switch claims; 0 where it claims nothing. */
  long speedBps(int port) {
    return speedOfUpPort.getOrDefault(port, 0L);
  }
}
