package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import org.evenweave.striping.metrics.PairThroughput;
import org.evenweave.striping.metrics.StripingReport;
import org.evenweave.striping.plan.StripingParameters;
import org.evenweave.striping.plan.StripingPlan;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * The striping of the links between a fabric's first two stages, compared with striping plans for
 * the same switches and ports. Throughput is that of a pair of S1 switches without competing
 * traffic, in links (Tewari 2015, section 3.4.1): Σ<sub>k</sub> min(R<sub>ik</sub>, R<sub>jk</sub>)
 * over the S2 switches k.
 */
final class FabricStriping {
  private final List<String> s1 = new ArrayList<>();
  private final List<String> s2 = new ArrayList<>();
  private final int[][] links;

  FabricStriping(Fabric fabric) {
    for (int s = 0; s < fabric.switchCount(); s++) {
      if (fabric.stage(s) == 1) {
        s1.add(fabric.switchId(s));
      } else if (fabric.stage(s) == 2) {
        s2.add(fabric.switchId(s));
      }
    }
    links = new int[s1.size()][s2.size()];
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      int row = s1.indexOf(fabric.switchId(fabric.from(arc)));
      int column = s2.indexOf(fabric.switchId(fabric.to(arc)));
      if (row >= 0 && column >= 0) {
        links[row][column]++;
      }
    }
  }

  /**
   * {@code {"s1":["s1-0",..],"s2":["s2-0",..],"striping":[{"kind":"present","matrix":[[2,1,1],..],
   * "throughput":{"min":3,"mean":3.3,"max":4}},{"kind":"rotation",..},{"kind":"group",..}]}}: rows
   * of a matrix are S1 switches, columns S2 switches. Plans are for switches with equal numbers of
   * links; for others there is {@code "problem"} with a sentence instead. Where there are plans,
   * {@code "verdict":{"best":["present","group"],"measure":"..","text":".."}} names the best.
   */
  ObjectNode toJson() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    s1.forEach(root.putArray("s1")::add);
    s2.forEach(root.putArray("s2")::add);
    ArrayNode striping = root.putArray("striping");
    if (s1.size() < 2 || s2.isEmpty()) {
      return root.put("problem", "striping is between at least two S1 switches and an S2 switch");
    }
    IntSummaryStatistics present = presentThroughput();
    add(striping, "present", links, present.getMin(), present.getAverage(), present.getMax());
    try {
      for (StripingReport report : StripingReport.comparison(parameters())) {
        PairThroughput pairs = report.throughput();
        add(
            striping,
            report.kind().label(),
            report.plan().matrix(),
            pairs.minLinks(),
            pairs.meanLinks(),
            pairs.maxLinks());
      }
      StripingVerdict.of(striping).addTo(root);
    } catch (IllegalArgumentException e) {
      root.put("problem", e.getMessage());
    }
    return root;
  }

  private static void add(
      ArrayNode striping, String kind, int[][] matrix, int min, double mean, int max) {
    ObjectNode node = striping.addObject().put("kind", kind);
    ArrayNode rows = node.putArray("matrix");
    for (int[] row : matrix) {
      Arrays.stream(row).forEach(rows.addArray()::add);
    }
    node.putObject("throughput").put("min", min).put("mean", mean).put("max", max);
  }

  private IntSummaryStatistics presentThroughput() {
    IntSummaryStatistics pairs = new IntSummaryStatistics();
    for (int i = 1; i < links.length; i++) {
      for (int j = 0; j < i; j++) {
        int common = 0;
        for (int k = 0; k < s2.size(); k++) {
          common += Math.min(links[i][k], links[j][k]);
        }
        pairs.accept(common);
      }
    }
    return pairs;
  }

  /** The fabric's size, if it has one. */
  private StripingParameters parameters() {
    int[] uplinks = Arrays.stream(links).mapToInt(row -> Arrays.stream(row).sum()).toArray();
    int[] downlinks = StripingPlan.columnSums(links, s2.size());
    requireEqual(s1, uplinks);
    requireEqual(s2, downlinks);
    return StripingParameters.of(s1.size(), s2.size(), uplinks[0], downlinks[0]);
  }

  private static void requireEqual(List<String> ids, int[] counts) {
    for (int i = 1; i < counts.length; i++) {
      if (counts[i] != counts[0]) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "no plan: the switches of a stage must have equally many links, but %s has %d and"
                    + " %s has %d",
                ids.get(0),
                counts[0],
                ids.get(i),
                counts[i]));
      }
    }
  }
}
