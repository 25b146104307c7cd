package org.evenweave.engine.status;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Where the configured links are in the numbering of snapshots. Most events keep that numbering, so
 * that those which are down are found in O(links down).
 */
final class ConfiguredLinks {
  private Fabric intended;
  private Fabric numbered;

  /** By number in snapshots, the configured link, or -1. */
  private int[] configuredOf = {};

  /** Those that are in no snapshot. */
  private int[] unknown = {};

  /** Takes over a configured fabric, and the numbering of a snapshot. */
  void follow(Fabric newIntended, Snapshot now) {
    Fabric physical = now.physical();
    if (newIntended == intended && numbered != null && physical.hasNumberingOf(numbered)) {
      return;
    }
    intended = newIntended;
    numbered = physical;
    Map<SwitchPort, Integer> arcOf = new HashMap<>();
    for (int arc = 0; arc < physical.arcCount(); arc++) {
      arcOf.put(physical.end(arc), arc);
    }
    configuredOf = new int[physical.linkCount()];
    Arrays.fill(configuredOf, -1);
    IntStream.Builder others = IntStream.builder();
    for (int link = 0; link < intended.linkCount(); link++) {
      int arc = arcOf.getOrDefault(intended.end(2 * link), -1);
      int back = arcOf.getOrDefault(intended.end(2 * link + 1), -1);
      if (arc >= 0 && back == (arc ^ 1)) {
        configuredOf[arc >> 1] = link;
      } else {
        others.add(link);
      }
    }
    unknown = others.build().toArray();
  }

  /** The configured links that do not carry packets in both directions, excluded or not, rising. */
  int[] down(Snapshot now) {
    IntStream known =
        now.physical().linksDown().map(link -> configuredOf[link]).filter(link -> link >= 0);
    return IntStream.concat(known, Arrays.stream(unknown)).sorted().toArray();
  }
}
