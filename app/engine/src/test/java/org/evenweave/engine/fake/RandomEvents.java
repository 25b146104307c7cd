package org.evenweave.engine.fake;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.evenweave.engine.nib.Nib;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Reports random events on a wired fabric to a NIB, in no helpful order, and keeps a slow and
 * obvious account of which links they leave up.
 */
public final class RandomEvents {
  private final Fabric fabric;
  private final Nib nib;
  private final SplittableRandom random;
  private final Set<String> connected = new HashSet<>();
  private final Set<String> read = new HashSet<>();
  private final Set<String> reconnected = new HashSet<>();
  private final Set<String> settled = new HashSet<>();
  private final Set<String> everPresent = new HashSet<>();
  private final Set<Integer> linksTrusted = new HashSet<>();

  /** Links that came up at a switch that had returned and was not read yet. */
  private final Set<Integer> linksEarly = new HashSet<>();

  private final Set<SwitchPort> portsUp = new HashSet<>();
  private final Set<Integer> arcsProbed = new HashSet<>();
  private final Map<Integer, Long> claimedBps = new HashMap<>();

  public RandomEvents(Fabric fabric, Nib nib, SplittableRandom random) {
    this.fabric = fabric;
    this.nib = nib;
    this.random = random;
  }

  /** One event, or a few that come together. */
  public void next() {
    int kind = random.nextInt(20);
    String switchId = fabric.switchId(random.nextInt(fabric.switchCount()));
    int arc = random.nextInt(fabric.arcCount());
    if (kind < 2) {
      connect(switchId);
    } else if (kind == 2) {
      disconnect(switchId);
    } else if (kind < 6) {
      setPort(arc, false);
    } else if (kind < 8) {
      setPort(arc, true);
    } else if (kind < 10) {
      probe(arc);
    } else if (kind == 10) {
      loseProbe(arc);
    } else if (kind < 14) {
      bringUp(arc);
    } else {
      connect(fabric.switchId(fabric.from(arc)));
      connect(fabric.switchId(fabric.to(arc)));
      bringUp(arc);
    }
  }

  private void bringUp(int arc) {
    setPort(arc, true);
    setPort(arc ^ 1, true);
    probe(arc);
    probe(arc ^ 1);
  }

  private void connect(String switchId) {
    if (connected.add(switchId)) {
      nib.switchUp(switchId);
      settled.remove(switchId);
      if (everPresent.contains(switchId)) {
        reconnected.add(switchId);
      }
    } else if (read.add(switchId)) {
      nib.tablesKnown(switchId, Set.of());
      everPresent.add(switchId);
      linksEarly.removeIf(link -> !isAtReturning(2 * link));
    }
  }

  private void disconnect(String switchId) {
    if (connected.contains(switchId)) {
      for (int arc : arcsOf(switchId)) {
        if (isUp(arc) && isUp(arc ^ 1)) {
          linksTrusted.add(arc >> 1);
        }
      }
      connected.remove(switchId);
      nib.switchDown(switchId);
      read.remove(switchId);
      settled.remove(switchId);
      linksEarly.removeIf(link -> !isAtReturning(2 * link));
      for (int arc : arcsOf(switchId)) {
        arcsProbed.remove(arc);
        arcsProbed.remove(arc ^ 1);
      }
    }
  }

  private List<Integer> arcsOf(String switchId) {
    List<Integer> arcs = new ArrayList<>();
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      if (fabric.switchId(fabric.from(arc)).equals(switchId)) {
        arcs.add(arc);
      }
    }
    return arcs;
  }

  private void setPort(int arc, boolean up) {
    String switchId = fabric.switchId(fabric.from(arc));
    if (!connected.contains(switchId)) {
      return;
    }
    long bps = 1L + random.nextInt(3);
    nib.portChanged(switchId, fabric.port(arc), up, bps);
    if (up) {
      portsUp.add(fabric.end(arc));
      claimedBps.put(arc, bps);
    } else {
      portsUp.remove(fabric.end(arc));
      linksTrusted.remove(arc >> 1);
      arcsProbed.remove(arc);
      arcsProbed.remove(arc ^ 1);
    }
  }

  private void probe(int arc) {
    if (connected.contains(fabric.switchId(fabric.from(arc)))
        && connected.contains(fabric.switchId(fabric.to(arc)))) {
      boolean carried = isUp(arc) && isUp(arc ^ 1);
      nib.linkSeen(fabric.end(arc), fabric.end(arc ^ 1));
      if (arcsProbed.add(arc) && !carried && isAtReturning(arc)) {
        linksEarly.add(arc >> 1);
      }
      if (arcsProbed.contains(arc ^ 1)) {
        linksTrusted.remove(arc >> 1);
      }
    }
  }

  private void loseProbe(int arc) {
    nib.linkLost(fabric.end(arc), fabric.end(arc ^ 1));
    arcsProbed.remove(arc);
    linksTrusted.remove(arc >> 1);
  }

  /** The switches that take part; to be called after each change. */
  public Set<String> present() {
    for (String switchId : read) {
      if (!reconnected.contains(switchId) || !awaitsLink(switchId)) {
        settled.add(switchId);
      }
    }
    return new TreeSet<>(settled);
  }

  /** Whether a configured link of a port that is up has not been found yet. */
  private boolean awaitsLink(String switchId) {
    return isConfigured()
        && arcsOf(switchId).stream()
            .anyMatch(arc -> portsUp.contains(fabric.end(arc)) && !(isUp(arc) && isUp(arc ^ 1)));
  }

  private boolean isConfigured() {
    return nib.config().intended().linkCount() > 0;
  }

  /** The links that carry packets both ways, each with its capacity in bits per second. */
  public Set<String> linksUp() {
    Set<String> up = new TreeSet<>();
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      if (fabric.end(arc).compareTo(fabric.end(arc ^ 1)) < 0 && isUp(arc) && isUp(arc ^ 1)) {
        up.add(fabric.end(arc) + "-" + fabric.end(arc ^ 1) + " " + capacityBps(arc));
      }
    }
    return up;
  }

  /** Whether a switch at either end has connected again and is not read yet. */
  private boolean isAtReturning(int arc) {
    return Stream.of(fabric.from(arc), fabric.to(arc))
        .map(fabric::switchId)
        .anyMatch(id -> connected.contains(id) && !read.contains(id) && everPresent.contains(id));
  }

  private boolean isUp(int arc) {
    return !(linksEarly.contains(arc >> 1) && isAtReturning(arc))
        && (arcsProbed.contains(arc) || linksTrusted.contains(arc >> 1))
        && portsUp.contains(fabric.end(arc))
        && everPresent.contains(fabric.switchId(fabric.from(arc)));
  }

  private long capacityBps(int arc) {
    return isConfigured()
        ? fabric.capacityBps(arc)
        : Math.min(claimedBps.get(arc), claimedBps.get(arc ^ 1));
  }
}
