package org.evenweave.engine.config;

import java.util.SortedSet;
import java.util.TreeSet;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Drains one switch or link, or puts it back into service. A switch is named by its id, a link by
 * either of its ends, {@code switch/port}.
 */
public final class Exclusions {
  private Exclusions() {}

  /**
   * The configuration with the element excluded; the same if it is already.
   *
   * @param network the network as discovered, which may have switches and links of no configuration
   * @throws FabricException if neither the configuration nor the network has such an element
   */
  public static EngineConfig exclude(EngineConfig config, Fabric network, String element) {
    SortedSet<String> switches = new TreeSet<>(config.excludedSwitches());
    SortedSet<SwitchPort> links = new TreeSet<>(config.excludedLinks());
    if (isLink(element)) {
      SwitchPort end = endOf(element);
      if (!links.contains(otherEnd(config, network, end))) {
        links.add(end);
      }
    } else {
      requireKnownSwitch(config, network, element);
      switches.add(element);
    }
    return config.withExcluded(switches, links);
  }

  /**
   * The configuration without the exclusion of this element; the same if there is none.
   *
   * @param network the network as discovered
   * @throws FabricException if nothing of this name is excluded or known
   */
  public static EngineConfig include(EngineConfig config, Fabric network, String element) {
    SortedSet<String> switches = new TreeSet<>(config.excludedSwitches());
    SortedSet<SwitchPort> links = new TreeSet<>(config.excludedLinks());
    if (isLink(element)) {
      SwitchPort end = endOf(element);
      if (!links.remove(end)) {
        links.remove(otherEnd(config, network, end));
      }
    } else if (!switches.remove(element)) {
      requireKnownSwitch(config, network, element);
    }
    return config.withExcluded(switches, links);
  }

  private static boolean isLink(String element) {
    return element.indexOf('/') >= 0;
  }

  private static SwitchPort endOf(String element) {
    try {
      return SwitchPort.parse(element);
    } catch (IllegalArgumentException e) {
      throw notALinkEnd(element);
    }
  }

  private static FabricException notALinkEnd(Object element) {
    return new FabricException(
        element.toString(), "is not an end of a link; an end is switch/port");
  }

  private static void requireKnownSwitch(EngineConfig config, Fabric network, String switchId) {
    if (config.intended().indexOf(switchId) < 0 && network.indexOf(switchId) < 0) {
      throw new FabricException(switchId, "no such switch is configured or connected");
    }
  }

  /** The other end of the link with this end. */
  private static SwitchPort otherEnd(EngineConfig config, Fabric network, SwitchPort end) {
    SwitchPort discovered = otherEnd(network, end);
    SwitchPort other = discovered != null ? discovered : otherEnd(config.intended(), end);
    if (other == null) {
      throw notALinkEnd(end);
    }
    return other;
  }

  /** The same in one fabric, or null if it has no such link. */
  private static SwitchPort otherEnd(Fabric fabric, SwitchPort end) {
    int s = fabric.indexOf(end.switchId());
    if (s >= 0) {
      for (int link : fabric.linksAt(s)) {
        for (int arc = 2 * link; arc <= 2 * link + 1; arc++) {
          if (fabric.from(arc) == s && fabric.port(arc) == end.number()) {
            return fabric.end(arc ^ 1);
          }
        }
      }
    }
    return null;
  }
}
