package org.evenweave.engine.config;

import java.util.SortedSet;
import java.util.TreeSet;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricException;

/**
 * Drains one switch or link, or takes it back. A switch goes by its id, a link by either of its
 * ends, {@code switch/port}.
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
    SortedSet<String> links = new TreeSet<>(config.excludedLinks());
    requireKnown(config, network, element);
    if (!isLink(element)) {
      switches.add(element);
    } else if (!links.contains(otherEnd(config, network, element))) {
      links.add(element);
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
    SortedSet<String> links = new TreeSet<>(config.excludedLinks());
    if (!switches.remove(element) && !links.remove(element)) {
      requireKnown(config, network, element);
      if (isLink(element)) {
        links.remove(otherEnd(config, network, element));
      }
    }
    return config.withExcluded(switches, links);
  }

  private static boolean isLink(String element) {
    return element.indexOf('/') >= 0;
  }

  private static void requireKnown(EngineConfig config, Fabric network, String element) {
    if (isLink(element)) {
      if (otherEnd(config, network, element) == null) {
        throw new FabricException(element, "is no end of a link; an end is switch/port");
      }
    } else if (config.intended().indexOf(element) < 0 && network.indexOf(element) < 0) {
      throw new FabricException(element, "no such switch is configured or connected");
    }
  }

  /** The other end of the link with this end, or null if there is no such link. */
  private static String otherEnd(EngineConfig config, Fabric network, String end) {
    String discovered = otherEnd(network, end);
    return discovered != null ? discovered : otherEnd(config.intended(), end);
  }

  private static String otherEnd(Fabric fabric, String end) {
    int s = fabric.indexOf(end.substring(0, end.lastIndexOf('/')));
    if (s >= 0) {
      for (int link : fabric.linksAt(s)) {
        for (int arc = 2 * link; arc <= 2 * link + 1; arc++) {
          if (fabric.end(arc).equals(end)) {
            return fabric.end(arc ^ 1);
          }
        }
      }
    }
    return null;
  }
}
