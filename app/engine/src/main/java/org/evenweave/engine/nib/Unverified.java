package org.evenweave.engine.nib;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * The parts of a snapshot that are configured or trusted but not confirmed by the network.
 * Immutable.
 */
final class Unverified {
  static final Unverified NOTHING =
      new Unverified(List.of(), List.of(), List.of(), List.of(), Set.of(), List.of());

  final List<String> missingSwitches;
  final List<String> trustedLinks;

  /** Of these, those whose two switches are connected, so that probes will show what they are. */
  final List<String> unprovenLinks;

  /** Switches that have not been read, used by rules. */
  final List<String> awaitedSwitches;

  /** Ports whose peer has not been found, used by rules; in order. */
  final Set<SwitchPort> awaitedPorts;

  final List<UnexpectedLink> unexpectedLinks;

  Unverified(
      List<String> missingSwitches,
      List<String> trustedLinks,
      List<String> unprovenLinks,
      List<String> awaitedSwitches,
      Set<SwitchPort> awaitedPorts,
      List<UnexpectedLink> unexpectedLinks) {
    this.missingSwitches = missingSwitches;
    this.trustedLinks = trustedLinks;
    this.unprovenLinks = unprovenLinks;
    this.awaitedSwitches = awaitedSwitches;
    this.awaitedPorts = awaitedPorts;
    this.unexpectedLinks = unexpectedLinks;
  }

  /**
   * @param numbering the links as they are now
   * @param missing the configured switches that are not connected
   * @param switches those that are or were connected, by id
   * @param implied switches that were not read yet when installed rules were found to send to them
   */
  static Unverified of(
      EngineConfig config,
      LinkNumbering numbering,
      List<String> missing,
      Map<String, SwitchState> switches,
      Set<String> implied,
      LinkMap linkMap) {
    List<String> trusted = new ArrayList<>();
    List<String> unproven = new ArrayList<>();
    for (LinkNumbering.Link link : linkMap.trusted().links()) {
      int number = numbering.linkAt(link.a);
      if (number >= 0 && numbering.fabric().isUp(number)) {
        trusted.add(link.toString());
        if (isConnected(switches, link.a) && isConnected(switches, link.b)) {
          unproven.add(link.toString());
        }
      }
    }
    List<String> awaitedSwitches = new ArrayList<>();
    Fabric usable = numbering.without(config.excludedLinks(), config.excludedSwitches());
    for (String switchId : implied) {
      int s = usable.indexOf(switchId);
      boolean isRead = switches.containsKey(switchId) && switches.get(switchId).wasEverRead();
      if (!isRead && s >= 0 && usable.outDegree(s) > 0) {
        awaitedSwitches.add(switchId);
      }
    }
    Set<SwitchPort> awaitedPorts = new TreeSet<>();
    if (config.linksDiscovered()) {
      switches.forEach(
          (id, state) -> addPortsWithoutPeer(id, state, config, linkMap, awaitedPorts));
    }
    return new Unverified(
        missing,
        trusted,
        unproven,
        awaitedSwitches,
        Collections.unmodifiableSet(awaitedPorts),
        linkMap.unexpected());
  }

  private static boolean isConnected(Map<String, SwitchState> switches, SwitchPort end) {
    SwitchState state = switches.get(end.switchId());
    return state != null && state.isConnected();
  }

  private static void addPortsWithoutPeer(
      String switchId,
      SwitchState state,
      EngineConfig config,
      LinkMap linkMap,
      Set<SwitchPort> awaited) {
    for (int port : state.adoptedPorts()) {
      SwitchPort end = new SwitchPort(switchId, port);
      if (state.mayBeUp(port)
          && linkMap.peerOf(end) == null
          && !config.excludedLinks().contains(end)
          && !config.excludedSwitches().contains(switchId)) {
        awaited.add(end);
      }
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Unverified
        && ((Unverified) other).missingSwitches.equals(missingSwitches)
        && ((Unverified) other).trustedLinks.equals(trustedLinks)
        && ((Unverified) other).unprovenLinks.equals(unprovenLinks)
        && ((Unverified) other).awaitedSwitches.equals(awaitedSwitches)
        && ((Unverified) other).awaitedPorts.equals(awaitedPorts)
        && ((Unverified) other).unexpectedLinks.equals(unexpectedLinks);
  }

  @Override
  public int hashCode() {
    return missingSwitches.hashCode() * 31 + trustedLinks.hashCode();
  }
}
