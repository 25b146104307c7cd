package org.evenweave.wcmp.topology;

import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * The three-stage fat-tree of k-port switches (Al-Fares et al., SIGCOMM 2008).
 *
 * <p>k pods of k/2 edge (S1) and k/2 aggregation (S2) switches, every edge joined to every
 * aggregation switch of its pod, and (k/2)^2 core (S3) switches; core {@code c} is joined to
 * aggregation switch {@code c / (k/2)} of every pod. Each edge switch has k/2 servers: k^3/4 in
 * all, 101,306 for k = 74.
 */
public final class FatTree {
  private FatTree() {}

  /** Servers of the fat-tree, k^3/4. */
  public static long servers(int k) {
    return (long) k * k * k / 4;
  }

  /**
   * @param k ports of every switch: even, 2 to 254
   * @param capacityBps of every link, positive
   * @return edge switches first (pod by pod), then aggregation, then core; one prefix per edge
   *     switch
   */
  public static Fabric of(int k, long capacityBps) {
    if (k < 2 || k > 254 || k % 2 != 0) {
      throw new IllegalArgumentException(
          "k is " + k + "; a fat-tree needs an even k from 2 to 254");
    }
    int half = k / 2;
    FabricBuilder builder = new FabricBuilder();
    for (int i = 0; i < k * half; i++) {
      builder.addSwitch("edge-" + i / half + "-" + i % half, 1, Fabric.UNLIMITED);
    }
    for (int i = 0; i < k * half; i++) {
      builder.addSwitch("agg-" + i / half + "-" + i % half, 2, Fabric.UNLIMITED);
    }
    for (int core = 0; core < half * half; core++) {
      builder.addSwitch("core-" + core, 3, Fabric.UNLIMITED);
    }
    for (int pod = 0; pod < k; pod++) {
      for (int i = 0; i < half; i++) {
        for (int j = 0; j < half; j++) {
          String agg = "agg-" + pod + "-" + j;
          builder.addLink(
              new SwitchPort("edge-" + pod + "-" + i, j + 1),
              new SwitchPort(agg, i + 1),
              capacityBps);
        }
      }
      for (int core = 0; core < half * half; core++) {
        String agg = "agg-" + pod + "-" + core / half;
        builder.addLink(
            new SwitchPort(agg, half + core % half + 1),
            new SwitchPort("core-" + core, pod + 1),
            capacityBps);
      }
    }
    for (int i = 0; i < k * half; i++) {
      builder.addSubnet("edge-" + i / half + "-" + i % half, Ipv4Prefix.of(10 << 24 | i << 8, 24));
    }
    return builder.build();
  }
}
