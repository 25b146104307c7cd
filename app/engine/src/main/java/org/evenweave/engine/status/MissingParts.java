package org.evenweave.engine.status;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.function.Supplier;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.nib.UnexpectedLink;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * Configured parts that are missing: switches that are not connected, and links that carry nothing
 * because they are down, damped or avoided (whose reasons others report). Excluded parts are not
 * missing, nor are the links of a switch that is not connected.
 */
final class MissingParts {
  private final List<String> reasons = new ArrayList<>();
  private int switches;
  private int links;
  private int count;

  private MissingParts() {}

  /** Nothing is missing. */
  static MissingParts none() {
    return new MissingParts();
  }

  /**
   * Finds them in O(configured switches that are not connected + links that are down).
   *
   * @param configured the configured links in the snapshot's numbering
   * @param barred why switches that count as not connected cannot be programmed though they are
   *     there, a sentence by id
   */
  static MissingParts of(
      EngineConfig config, Nib nib, ConfiguredLinks configured, Map<String, String> barred) {
    MissingParts missing = none();
    Fabric intended = config.intended();
    Snapshot now = nib.snapshot();
    if (intended.switchCount() == 0) {
      missing.add(() -> "no fabric is configured");
    }
    for (String switchId : now.missingSwitches()) {
      if (!config.excludedSwitches().contains(switchId)) {
        missing.switches++;
        missing.add(
            () ->
                barred.getOrDefault(switchId, switchId + " is not connected")
                    + (nib.isRoutedAround(switchId) ? " and is routed around" : ""));
      }
    }
    for (int link : configured.down(now)) {
      if (isMissed(config, now, link)) {
        missing.links++;
        missing.add(() -> "link " + intended.linkName(link) + " is " + why(intended, nib, link));
      }
    }
    for (String link : now.dampedLinks()) {
      missing.links++;
      missing.add(() -> "link " + link + " is damped: it is up, and has failed too often");
    }
    missing.links += now.avoidedLinks().size();
    return missing;
  }

  private static boolean isMissed(EngineConfig config, Snapshot now, int link) {
    Fabric intended = config.intended();
    SortedSet<String> excluded = config.excludedSwitches();
    for (int arc = 2 * link; arc <= 2 * link + 1; arc++) {
      String switchId = intended.switchId(intended.from(arc));
      if (!now.isPresent(switchId)
          || excluded.contains(switchId)
          || config.excludedLinks().contains(intended.end(arc))) {
        return false;
      }
    }
    return true;
  }

  private static String why(Fabric intended, Nib nib, int link) {
    for (int arc = 2 * link; arc <= 2 * link + 1; arc++) {
      String switchId = intended.switchId(intended.from(arc));
      int port = intended.port(arc);
      if (!nib.hasPort(switchId, port)) {
        return "down: " + switchId + " has no port " + port;
      }
      if (!nib.isUp(switchId, port)) {
        String restrictions = nib.portSettings().of(intended.end(arc)).restrictions();
        return "down: port "
            + intended.end(arc)
            + " "
            + (restrictions.isEmpty() ? "is down" : restrictions);
      }
    }
    for (UnexpectedLink found : nib.snapshot().unexpectedLinks()) {
      for (int arc = 2 * link; arc <= 2 * link + 1; arc++) {
        if (intended.end(arc).equals(found.a())) {
          return "miscabled: " + found.a() + " is connected to " + found.b();
        }
        if (intended.end(arc).equals(found.b())) {
          return "miscabled: " + found.b() + " is connected to " + found.a();
        }
      }
    }
    return "down: its ports are up, but no LLDP probes pass it in both directions";
  }

  private void add(Supplier<String> reason) {
    count++;
    if (reasons.size() < FabricStatus.MOST_REASONS) {
      reasons.add(reason.get());
    }
  }

  /** A sentence on each; the first few. */
  List<String> reasons() {
    return Collections.unmodifiableList(reasons);
  }

  /** How many there are in all. */
  int count() {
    return count;
  }

  /** How many of them are switches. */
  int switches() {
    return switches;
  }

  /** How many of them are links. */
  int links() {
    return links;
  }
}
