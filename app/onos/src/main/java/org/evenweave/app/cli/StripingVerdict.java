package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Selects the best of several stripings of the same switches. A pair of S1 switches with few links
 * in common is a bottleneck that no choice of weights can widen, so the worst pair counts first,
 * and the mean over all pairs decides between equals.
 */
final class StripingVerdict {
  private static final String MEASURE =
      "links that the worst pair of S1 switches has in common," + " then the mean over all pairs";

  /** Means are quotients of sums; what differs by less is equal. */
  private static final double ROUNDING = 1e-9;

  private final List<String> best = new ArrayList<>();
  private final String text;

  private StripingVerdict(ArrayNode striping) {
    JsonNode first = null;
    for (JsonNode one : striping) {
      int order = first == null ? 1 : compare(one, first);
      if (order > 0) {
        best.clear();
        first = one;
      }
      if (order >= 0) {
        best.add(one.get("kind").asText());
      }
    }
    JsonNode present = striping.get(0);
    text =
        best.contains("present")
            ? "the present striping is as good as any plan: " + figures(present)
            : best.get(0)
                + " striping is better than the present one: "
                + figures(first)
                + ", instead of "
                + figures(present);
  }

  /**
   * @param striping as {@link FabricStriping#toJson} has it, the present one first
   */
  static StripingVerdict of(ArrayNode striping) {
    return new StripingVerdict(striping);
  }

  void addTo(ObjectNode root) {
    ObjectNode verdict = root.putObject("verdict");
    best.forEach(verdict.putArray("best")::add);
    verdict.put("measure", MEASURE).put("text", text);
  }

  private static int compare(JsonNode one, JsonNode other) {
    int order = Integer.compare(least(one), least(other));
    if (order != 0) {
      return order;
    }
    double difference = mean(one) - mean(other);
    return Math.abs(difference) < ROUNDING ? 0 : (int) Math.signum(difference);
  }

  private static String figures(JsonNode striping) {
    return String.format(
        Locale.ROOT,
        "%d links in common for the worst pair of S1 switches, %.4f in the mean",
        least(striping),
        mean(striping));
  }

  private static int least(JsonNode striping) {
    return striping.get("throughput").get("min").asInt();
  }

  private static double mean(JsonNode striping) {
    return striping.get("throughput").get("mean").asDouble();
  }
}
