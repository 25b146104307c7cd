package org.evenweave.engine.nib;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * The switches that are or were connected or that installed rules forward to, and whether each
 * forwards packets.
 */
final class KnownSwitches {
  /** Assumed for a link of which neither the configuration nor a switch says a rate. */
  private static final long DEFAULT_CAPACITY_BPS = 10_000_000_000L;

  private final Map<String, SwitchState> states = new HashMap<>();

  /** Switches that were not read yet when installed rules were found to send to them. */
  private final Set<String> implied = new TreeSet<>();

  /** Switches that take no part until they connect: they forward nothing that is needed. */
  private final Set<String> silent = new TreeSet<>();

  /** Made when asked for, until a switch connects, leaves, or is read. */
  private List<String> connectedIds;

  private List<String> forwardingIds;

  /** What is known of a switch that is or was connected; null of others. */
  SwitchState of(String switchId) {
    return states.get(switchId);
  }

  /** Of those that are or were connected, by id, in no order. */
  Map<String, SwitchState> states() {
    return states;
  }

  /** Those that were not read yet when installed rules were found to send to them. */
  Set<String> implied() {
    return implied;
  }

  /** Whether installed rules send to the switch at an end, and it was never read; null is none. */
  boolean isAwaited(SwitchPort end) {
    SwitchState state = end == null ? null : states.get(end.switchId());
    return end != null
        && implied.contains(end.switchId())
        && (state == null || !state.wasEverRead());
  }

  void connect(String switchId) {
    silent.remove(switchId);
    states.computeIfAbsent(switchId, id -> new SwitchState()).connect();
    changed();
  }

  /** A switch that is known loses its connection. */
  void disconnect(String switchId) {
    of(switchId).disconnect();
    changed();
  }

  /** As {@link SwitchState#tablesRead}, of a switch that is known. */
  boolean tablesRead(String switchId, Set<Integer> usedPorts) {
    changed();
    return of(switchId).tablesRead(usedPorts);
  }

  private void changed() {
    connectedIds = null;
    forwardingIds = null;
  }

  /** Adds a switch to which installed rules send packets. */
  void addImplied(String switchId) {
    implied.add(switchId);
    changed();
  }

  /** Assumes, without reading the switch, that it holds the tables computed for it. */
  void assumeTables(String switchId) {
    states.computeIfAbsent(switchId, id -> new SwitchState()).assumeTables();
    changed();
  }

  /** Removes the switch until it connects. */
  void silence(String switchId) {
    states.remove(switchId);
    implied.remove(switchId);
    silent.add(switchId);
    changed();
  }

  boolean isSilent(String switchId) {
    return silent.contains(switchId);
  }

  boolean isConnected(String switchId) {
    SwitchState state = states.get(switchId);
    return state != null && state.isConnected();
  }

  /** Whether a switch has connected again and has not been read since. */
  boolean isReturning(String switchId) {
    SwitchState state = states.get(switchId);
    return state != null && state.isConnected() && !state.isRead() && state.wasEverRead();
  }

  /** In no order; the same list until a switch connects, leaves, or is read. */
  List<String> connectedIds() {
    if (connectedIds == null) {
      connectedIds = idsOf((id, state) -> state.isConnected());
    }
    return connectedIds;
  }

  private List<String> idsOf(BiPredicate<String, SwitchState> condition) {
    List<String> ids = new ArrayList<>(states.size());
    states.forEach(
        (id, state) -> {
          if (condition.test(id, state)) {
            ids.add(id);
          }
        });
    return Collections.unmodifiableList(ids);
  }

  /** Whether the switch forwards packets, connected or not. */
  boolean forwards(String switchId) {
    SwitchState state = states.get(switchId);
    return !silent.contains(switchId)
        && (implied.contains(switchId) || (state != null && state.wasEverRead()));
  }

  /**
   * Those that forward and are or were connected, in no order; the same list until a switch
   * connects, leaves, or is read.
   */
  List<String> forwardingIds() {
    if (forwardingIds == null) {
      forwardingIds = idsOf((id, state) -> forwards(id));
    }
    return forwardingIds;
  }

  /** Whether a switch's port is known to be up. */
  boolean isUp(String switchId, int port) {
    SwitchState state = states.get(switchId);
    return state != null && state.isUp(port);
  }

  boolean isUp(SwitchPort end) {
    return isUp(end.switchId(), end.number());
  }

  /** Whether a connected switch has, or had, such a port. */
  boolean hasPort(String switchId, int port) {
    SwitchState state = states.get(switchId);
    return state != null && state.hasPort(port);
  }

  /** Whether a port is not known to be down. */
  boolean mayBeUp(SwitchPort end) {
    SwitchState state = states.get(end.switchId());
    return state == null || state.mayBeUp(end.number());
  }

  /** Whether probes can be sent at a port, and are seen there. */
  boolean isProbed(SwitchPort end) {
    SwitchState state = states.get(end.switchId());
    return state != null && state.isRead() && state.isUp(end.number());
  }

  /** The lower of the rates that switches claim for the ends of a link, where they claim any. */
  long capacityBps(SwitchPort end, SwitchPort peer) {
    long claimed = Math.min(claimedBps(end), claimedBps(peer));
    return claimed > 0 ? claimed : DEFAULT_CAPACITY_BPS;
  }

  /** As a switch claims of a port that is up; 0 where it claims nothing. */
  long claimedBps(SwitchPort end) {
    SwitchState state = states.get(end.switchId());
    return state == null ? 0 : state.speedBps(end.number());
  }
}
