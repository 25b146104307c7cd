package org.evenweave.bench.figure312;

import org.evenweave.striping.plan.StripingPlan;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.SwitchPort;

/** A striping plan wired up: S1 switches first, each with a prefix; every link 10 Gb/s. */
final class StripedFabric {
  private static final long CAPACITY_BPS = 10_000_000_000L;

  private StripedFabric() {}

  static Fabric of(StripingPlan plan) {
    int s1Count = plan.parameters().s1Count();
    int s2Count = plan.parameters().s2Count();
    FabricBuilder builder = new FabricBuilder();
    for (int s1 = 0; s1 < s1Count; s1++) {
      builder.addSwitch("s1-" + s1, 1, Fabric.UNLIMITED);
      builder.addSubnet("s1-" + s1, Ipv4Prefix.of(10 << 24 | s1 << 8, 24));
    }
    int[] s2Port = new int[s2Count];
    for (int s2 = 0; s2 < s2Count; s2++) {
      builder.addSwitch("s2-" + s2, 2, Fabric.UNLIMITED);
    }
    for (int s1 = 0; s1 < s1Count; s1++) {
      int s1Port = 0;
      for (int s2 = 0; s2 < s2Count; s2++) {
        for (int link = 0; link < plan.links(s1, s2); link++) {
          builder.addLink(
              new SwitchPort("s1-" + s1, ++s1Port),
              new SwitchPort("s2-" + s2, ++s2Port[s2]),
              CAPACITY_BPS);
        }
      }
    }
    return builder.build();
  }
}
