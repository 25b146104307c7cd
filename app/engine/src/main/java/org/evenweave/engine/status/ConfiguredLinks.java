package org.evenweave.engine.status;

import java.util.HashMap;
import java.util.Map;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Where the configured links are in the numbering of snapshots. Most events keep that numbering, so
 * that a look at all links costs no look-up by name.
 */
final class ConfiguredLinks {
  private Fabric intended;
  private Fabric numbered;
  private int[] linkOf = {};

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
    linkOf = new int[intended.linkCount()];
    for (int link = 0; link < linkOf.length; link++) {
      int arc = arcOf.getOrDefault(intended.end(2 * link), -1);
      int back = arcOf.getOrDefault(intended.end(2 * link + 1), -1);
      linkOf[link] = arc >= 0 && back == (arc ^ 1) ? arc >> 1 : -1;
    }
  }

  /** Whether a configured link carries packets in both directions, excluded or not. */
  boolean isUp(int link, Snapshot now) {
    return linkOf[link] >= 0 && now.physical().isUp(linkOf[link]);
  }
}
