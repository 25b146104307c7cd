package org.evenweave.bench.figure312;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.evenweave.bench.common.Progress;

/**
 * The fabrics of Figure 3.12 (Tewari 2015, section 3.7.3): 5 to 19 group-striped S1 switches, with
 * N = 96 uplinks over S2 switches of D = 32 downlinks, and with N = 192 over D = 64.
 */
final class Figure312 {
  static final int FEWEST_S1 = 5;
  static final int MOST_S1 = 19;

  /** The paper's two sizes: S1 uplinks. Its S2 switches have a third as many downlinks. */
  static final int[] UPLINKS = {96, 192};

  private static final int UPLINKS_PER_DOWNLINK = 3;

  /** "The size of multipath tables on commodity switches is usually only 4K." */
  static final int TABLE_ENTRIES = 4096;

  private final List<List<Point>> pointsBySize = new ArrayList<>();

  Figure312() {
    for (int uplinks : UPLINKS) {
      Progress.say("figure 3.12: %d uplinks", uplinks);
      List<Point> points = new ArrayList<>();
      for (int s1 = FEWEST_S1; s1 <= MOST_S1; s1++) {
        points.add(new Point(s1, uplinks, downlinks(uplinks)));
      }
      pointsBySize.add(points);
    }
  }

  static int downlinks(int uplinks) {
    return uplinks / UPLINKS_PER_DOWNLINK;
  }

  /** The fabrics of one of the {@link #UPLINKS}, by rising number of S1 switches. */
  List<Point> points(int uplinks) {
    return Collections.unmodifiableList(pointsBySize.get(uplinks == UPLINKS[0] ? 0 : 1));
  }

  Point point(int uplinks, int s1) {
    return points(uplinks).get(s1 - FEWEST_S1);
  }
}
