package org.evenweave.wcmp.fabric;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Fabrics that tests share. */
public final class Fabrics {
  private static final long TEN_GBPS = 10_000_000_000L;

  private Fabrics() {}

  /** A two-stage Clos: {@code uplinks[i][k]} links of 10 Gb/s join s1-i and s2-k. */
  public static Fabric clos(int[][] uplinks) {
    FabricBuilder builder = new FabricBuilder();
    int s2Count = uplinks[0].length;
    for (int i = 0; i < uplinks.length; i++) {
      builder.addSwitch("s1-" + i, 1, Fabric.UNLIMITED);
    }
    for (int k = 0; k < s2Count; k++) {
      builder.addSwitch("s2-" + k, 2, Fabric.UNLIMITED);
    }
    int[] downPort = new int[s2Count];
    for (int i = 0; i < uplinks.length; i++) {
      int upPort = 0;
      for (int k = 0; k < s2Count; k++) {
        for (int link = 0; link < uplinks[i][k]; link++) {
          builder.addLink("s1-" + i + "/" + ++upPort, "s2-" + k + "/" + ++downPort[k], TEN_GBPS);
        }
      }
      builder.addSubnet("s1-" + i, Ipv4Prefix.of(10 << 24 | i << 8, 24));
    }
    return builder.build();
  }

  /** How many links S1 switches have to S2 switches, each from {@code least} to {@code most}. */
  public static int[][] uplinks(SplittableRandom random, int s1, int s2, int least, int most) {
    int[][] uplinks = new int[s1][s2];
    for (int[] row : uplinks) {
      Arrays.setAll(row, k -> random.nextInt(least, most + 1));
    }
    return uplinks;
  }

  /** The fabric of Tewari 2015, Figure 3.2: three S1 with four uplinks each over three S2. */
  public static Fabric figure32() {
    return clos(new int[][] {{2, 1, 1}, {1, 2, 1}, {1, 1, 2}});
  }

  /**
   * Where no weights by destination are right for two sources: p reaches the bottleneck x-d by u
   * too and should send all it gives to t past it, q has t alone and should use both ways.
   *
   * <pre>
   *   q === t --- y --- d        all links of 10 Gb/s; two between q and t
   *        / \         /
   *       p   \       /
   *        \   \     /
   *         u --- x -
   * </pre>
   *
   * <p>The prefixes of p, q and d are 10.0.0.0/24 to 10.0.2.0/24.
   */
  public static Fabric sharedBottleneck() {
    FabricBuilder builder = new FabricBuilder();
    for (String id : new String[] {"p", "q", "d"}) {
      builder.addSwitch(id, 1, Fabric.UNLIMITED);
    }
    for (String id : new String[] {"t", "u", "x", "y"}) {
      builder.addSwitch(id, 2, Fabric.UNLIMITED);
    }
    builder.addLink("p/1", "t/1", TEN_GBPS).addLink("p/2", "u/1", TEN_GBPS);
    builder.addLink("q/1", "t/2", TEN_GBPS).addLink("q/2", "t/3", TEN_GBPS);
    builder.addLink("t/4", "x/1", TEN_GBPS).addLink("t/5", "y/1", TEN_GBPS);
    builder.addLink("u/2", "x/2", TEN_GBPS);
    builder.addLink("x/3", "d/1", TEN_GBPS).addLink("y/2", "d/2", TEN_GBPS);
    builder.addSubnet("p", Ipv4Prefix.parse("10.0.0.0/24"));
    builder.addSubnet("q", Ipv4Prefix.parse("10.0.1.0/24"));
    builder.addSubnet("d", Ipv4Prefix.parse("10.0.2.0/24"));
    return builder.build();
  }

  /**
   * A fabric of stages of 1 to 4 switches, those of neighbouring ones joined by up to two links of
   * 1, 2, 5 or 10 Gb/s, with prefixes at S1 switches alone.
   */
  public static Fabric staged(SplittableRandom random, int stages) {
    FabricBuilder builder = new FabricBuilder();
    int[] sizes = new int[stages];
    Arrays.setAll(sizes, stage -> 1 + random.nextInt(4) + (stage == 0 ? 1 : 0));
    for (int stage = 1; stage <= stages; stage++) {
      for (int i = 0; i < sizes[stage - 1]; i++) {
        builder.addSwitch("s" + stage + "-" + i, stage, Fabric.UNLIMITED);
      }
    }
    int port = 0;
    for (int stage = 1; stage < stages; stage++) {
      for (int pair = 0; pair < sizes[stage - 1] * sizes[stage]; pair++) {
        String lower = "s" + stage + "-" + pair % sizes[stage - 1] + "/";
        String upper = "s" + (stage + 1) + "-" + pair / sizes[stage - 1] + "/";
        long bps = new long[] {1, 2, 5, 10}[random.nextInt(4)] * 1_000_000_000L;
        for (int links = random.nextInt(3); links > 0; links--) {
          builder.addLink(lower + ++port, upper + port, bps);
        }
      }
    }
    for (int i = 0; i < sizes[0]; i++) {
      builder.addSubnet("s1-" + i, Ipv4Prefix.of(10 << 24 | i << 8, 24));
    }
    return builder.build();
  }

  /** Any graph: random links, parallel ones among them, of random capacities from 1 to 100 Gb/s. */
  public static Fabric random(SplittableRandom random, int switches, int links) {
    FabricBuilder builder = new FabricBuilder();
    for (int s = 0; s < switches; s++) {
      builder.addSwitch("s" + s, 1, Fabric.UNLIMITED);
    }
    int[] ports = new int[switches];
    for (int l = 0; l < links; l++) {
      int a = random.nextInt(switches);
      int b = (a + 1 + random.nextInt(switches - 1)) % switches;
      long bps = (1 + random.nextInt(100)) * 1_000_000_000L;
      builder.addLink("s" + a + "/" + ++ports[a], "s" + b + "/" + ++ports[b], bps);
    }
    for (int s = 0; s < switches; s++) {
      builder.addSubnet("s" + s, Ipv4Prefix.of(10 << 24 | s << 8, 24));
    }
    return builder.build();
  }
}
