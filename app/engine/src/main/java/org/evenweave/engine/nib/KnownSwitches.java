package org.evenweave.engine.nib;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * The switches that are or were connected, those that installed rules send to, and which of them
 * forward.
 */
final class KnownSwitches {
  /** Assumed for a link of which neither the configuration nor a switch says a rate. */
  private static final long DEFAULT_CAPACITY_BPS = 10_000_000_000L;

  private final Map<String, SwitchState> states = new HashMap<>();

  /** Switches that were not read yet when installed rules were found to send to them. */
  private final Set<String> implied = new TreeSet<>();

  /** Switches that take no part until they connect: they forward nothing that is needed. */
  private final Set<String> silent = new TreeSet<>();

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

  void connect(String switchId) {
    silent.remove(switchId);
    states.computeIfAbsent(switchId, id -> new SwitchState()).connect();
  }

  /** Installed rules send to this switch. */
  void imply(String switchId) {
    implied.add(switchId);
  }

  /** The switch is taken to hold the tables that were computed for it, without being read. */
  void assumeTables(String switchId) {
    states.computeIfAbsent(switchId, id -> new SwitchState()).assumeTables();
  }

  /** The switch takes no part: it is forgotten until it connects. */
  void silence(String switchId) {
    states.remove(switchId);
    implied.remove(switchId);
    silent.add(switchId);
  }

  boolean isSilent(String switchId) {
    return silent.contains(switchId);
  }

  boolean isConnected(String switchId) {
    SwitchState state = states.get(switchId);
    return state != null && state.isConnected();
  }

  /** In no order. */
  Collection<String> connectedIds() {
    List<String> connected = new ArrayList<>(states.size());
    states.forEach(
        (id, state) -> {
          if (state.isConnected()) {
            connected.add(id);
          }
        });
    return connected;
  }

  /** Whether the switch takes part in forwarding, be it connected or not. */
  boolean forwards(String switchId) {
    SwitchState state = states.get(switchId);
    return !silent.contains(switchId)
        && (implied.contains(switchId) || (state != null && state.wasEverRead()));
  }

  /** Those that forward and are or were connected, in no order. */
  Collection<String> forwardingIds() {
    List<String> forwarding = new ArrayList<>(states.size());
    states.forEach(
        (id, state) -> {
          if (forwards(id)) {
            forwarding.add(id);
          }
        });
    return forwarding;
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

  private long claimedBps(SwitchPort end) {
    SwitchState state = states.get(end.switchId());
    return state == null ? 0 : state.speedBps(end.number());
  }
}
