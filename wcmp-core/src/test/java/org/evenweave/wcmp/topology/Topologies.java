package org.evenweave.wcmp.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/** Published topologies other than the fat-tree, for tests. Links are 10 Gb/s. */
public final class Topologies {
  private static final long TEN_GBPS = 10_000_000_000L;

  private Topologies() {}

  /**
   * A three-stage folded Clos: pods of S1 and S2 switches, S3 switches above all of them.
   *
   * @param parallel links between an S2 and an S3 switch
   */
  public static Fabric threeStageClos(int pods, int s1PerPod, int s2PerPod, int s3, int parallel) {
    List<String> ids = new ArrayList<>();
    List<int[]> links = new ArrayList<>();
    for (int i = 0; i < pods * s1PerPod; i++) {
      ids.add("s1-" + i);
    }
    for (int i = 0; i < pods * s2PerPod; i++) {
      ids.add("s2-" + i);
    }
    for (int i = 0; i < s3; i++) {
      ids.add("s3-" + i);
    }
    for (int i = 0; i < pods * s2PerPod; i++) {
      int s2 = pods * s1PerPod + i;
      for (int j = 0; j < s1PerPod; j++) {
        links.add(new int[] {i / s2PerPod * s1PerPod + j, s2});
      }
      for (int j = 0; j < s3 * parallel; j++) {
        links.add(new int[] {s2, pods * (s1PerPod + s2PerPod) + j / parallel});
      }
    }
    return build(ids, links, pods * s1PerPod);
  }

  /**
   * A HyperX (Ahn et al., SC 2009): switches on a grid, each joined to all others of its row in
   * every dimension.
   *
   * @param parallel links between two switches of a row
   * @param sizes switches along each dimension
   */
  public static Fabric hyperX(int parallel, int... sizes) {
    int count = Arrays.stream(sizes).reduce(1, (a, b) -> a * b);
    List<int[]> links = new ArrayList<>();
    int stride = 1;
    for (int size : sizes) {
      for (int s = 0; s < count; s++) {
        int place = s / stride % size;
        for (int other = place + 1; other < size; other++) {
          for (int i = 0; i < parallel; i++) {
            links.add(new int[] {s, s + (other - place) * stride});
          }
        }
      }
      stride *= size;
    }
    return build(numbered(count), links, count);
  }

  /** The k-ary n-flat (flattened butterfly; Kim, Dally and Abts, ISCA 2007). */
  public static Fabric flattenedButterfly(int k, int n) {
    int[] sizes = new int[n - 1];
    Arrays.fill(sizes, k);
    return hyperX(1, sizes);
  }

  /**
   * A Jellyfish (Singla et al., NSDI 2012): a random regular graph. Random free pairs are joined;
   * when none is left, a switch with two free ports takes a random link's place in the middle.
   */
  public static Fabric jellyfish(int switches, int degree, long seed) {
    Random random = new Random(seed);
    Set<List<Integer>> joined = new LinkedHashSet<>();
    int[] free = new int[switches];
    Arrays.fill(free, degree);
    for (List<Integer> pair = freePair(free, joined, random); pair != null; ) {
      join(pair, joined, free);
      pair = freePair(free, joined, random);
    }
    for (int s = 0; s < switches; s++) {
      int own = s;
      while (free[s] > 1) {
        List<List<Integer>> candidates = new ArrayList<>(joined);
        candidates.removeIf(
            link ->
                link.contains(own)
                    || joined.contains(pair(own, link.get(0)))
                    || joined.contains(pair(own, link.get(1))));
        if (candidates.isEmpty()) {
          break;
        }
        List<Integer> link = candidates.get(random.nextInt(candidates.size()));
        joined.remove(link);
        joined.add(pair(s, link.get(0)));
        joined.add(pair(s, link.get(1)));
        free[s] -= 2;
      }
    }
    List<int[]> links = new ArrayList<>();
    joined.forEach(link -> links.add(new int[] {link.get(0), link.get(1)}));
    return build(numbered(switches), links, switches);
  }

  private static List<Integer> freePair(int[] free, Set<List<Integer>> joined, Random random) {
    List<List<Integer>> pairs = new ArrayList<>();
    for (int a = 0; a < free.length; a++) {
      for (int b = a + 1; b < free.length; b++) {
        if (free[a] > 0 && free[b] > 0 && !joined.contains(pair(a, b))) {
          pairs.add(pair(a, b));
        }
      }
    }
    Collections.shuffle(pairs, random);
    return pairs.isEmpty() ? null : pairs.get(0);
  }

  private static void join(List<Integer> pair, Set<List<Integer>> joined, int[] free) {
    joined.add(pair);
    free[pair.get(0)]--;
    free[pair.get(1)]--;
  }

  private static List<Integer> pair(int a, int b) {
    return List.of(Math.min(a, b), Math.max(a, b));
  }

  private static List<String> numbered(int count) {
    List<String> ids = new ArrayList<>();
    for (int s = 0; s < count; s++) {
      ids.add("s" + s);
    }
    return ids;
  }

  private static Fabric build(List<String> ids, List<int[]> links, int withSubnet) {
    FabricBuilder builder = new FabricBuilder();
    for (String id : ids) {
      int stage = id.startsWith("s2-") ? 2 : id.startsWith("s3-") ? 3 : 1;
      builder.addSwitch(id, stage, Fabric.UNLIMITED);
    }
    int[] ports = new int[ids.size()];
    for (int[] link : links) {
      builder.addLink(
          ids.get(link[0]) + "/" + ++ports[link[0]],
          ids.get(link[1]) + "/" + ++ports[link[1]],
          TEN_GBPS);
    }
    for (int s = 0; s < withSubnet; s++) {
      builder.addSubnet(ids.get(s), Ipv4Prefix.of(10 << 24 | s << 8, 24));
    }
    return builder.build();
  }
}
