package org.evenweave.bench.scale;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * A fabric's everyday life: failures come, and are repaired in any order. Nine in ten are of one
 * link, the others of a switch with all its links.
 */
final class Failures {
  /** Links that are down at any time (Tewari 2015, Table 3.1: 0.03 to 0.07 %). */
  static final double LINKS_DOWN = 0.0005;

  private final LiveRoutes routes;
  private final SplittableRandom random;
  private final List<int[]> failed = new ArrayList<>();

  /** Begins with the links down that are at any time. */
  Failures(LiveRoutes routes, SplittableRandom random) {
    this.routes = routes;
    this.random = random;
    int links = routes.fabric().linkCount();
    random
        .ints(0, links)
        .distinct()
        .limit(Math.round(LINKS_DOWN * links))
        .forEach(link -> failed.add(new int[] {link}));
    routes.linksGo(false, failed.stream().flatMapToInt(Arrays::stream).toArray());
  }

  /** Makes the next failure or repair happen, as likely the one as the other. */
  void next(Stopwatch clock) {
    boolean repair = !failed.isEmpty() && random.nextBoolean();
    int[] links = repair ? failed.remove(random.nextInt(failed.size())) : anyLinksUp();
    if (!repair) {
      failed.add(links);
    }
    clock.time(() -> routes.linksGo(repair, links));
  }

  private int[] anyLinksUp() {
    Fabric fabric = routes.fabric();
    int[] links;
    do {
      links =
          random.nextInt(10) > 0
              ? new int[] {random.nextInt(fabric.linkCount())}
              : fabric.linksAt(random.nextInt(fabric.switchCount()));
      links = Arrays.stream(links).filter(fabric::isUp).toArray();
    } while (links.length == 0);
    return links;
  }
}
