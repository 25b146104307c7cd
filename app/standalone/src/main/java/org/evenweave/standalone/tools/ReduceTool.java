package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Arrays;
import org.evenweave.engine.config.LeaveOutReader;
import org.evenweave.wcmp.fabric.LeaveOut;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.fitting.NativeReduction;
import org.evenweave.wcmp.reduction.Oversubscription;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.WeightReduction;
import picocli.CommandLine.Command;

/** {@code evenweave reduce}: the smallest group within a limit on its oversubscription. */
@Command(
    name = "reduce",
    description = {
      "Reduces a WCMP group as far as a limit on its oversubscription allows.",
      "Reads one JSON object per line and answers each with one line.",
      "",
      "Optional fields:",
      "  \"leaveOut\":\"auto\"   ports may get no entries where that makes the group",
      "                      smaller (default \"never\")",
      "  \"minNextHops\":2     with \"auto\": at least this many ports get entries",
      "  \"target\":\"native\"   a weight is a number: each port takes one entry",
      "                      (default \"replicated\")",
      "  \"limits\":{...}      with \"native\": \"maxWeight\" of a port, \"maxTotalWeight\""
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  echo '{\"weights\":[2,2,3,5],\"maxOversubscription\":1.15}' | evenweave reduce",
      "  {\"weights\":[1,1,2,3],\"entries\":7,\"oversubscription\":1.1428571428571428}"
    })
public final class ReduceTool extends OfflineTool {
  @Override
  JsonNode answer(JsonNode input) {
    long[] weights = InputFields.longs(input.get("weights"));
    Ratio limit = InputFields.ratio("maxOversubscription", input.get("maxOversubscription"));
    LeaveOut leaveOut = LeaveOutReader.read(input, LeaveOut.NEVER);
    GroupLimits limits = GroupLimits.of(input);
    int[] reduced =
        limits.isNative()
            ? reduceNumbers(weights, limit, leaveOut, limits)
            : reduce(weights, limit, leaveOut);
    return JsonNodeFactory.instance
        .objectNode()
        .putPOJO("weights", reduced)
        .put("entries", entries(reduced, limits))
        .put("oversubscription", Oversubscription.of(weights, reduced).toDouble());
  }

  private static int[] reduce(long[] weights, Ratio limit, LeaveOut leaveOut) {
    try {
      return leaveOut.equals(LeaveOut.NEVER)
          ? WeightReduction.reduce(weights, limit)
          : WeightReduction.reduce(weights, limit, leaveOut.minNextHops());
    } catch (IllegalArgumentException e) {
      throw new BadInputException("maxOversubscription", e.getMessage() + "; raise it");
    }
  }

  private static int[] reduceNumbers(
      long[] weights, Ratio limit, LeaveOut leaveOut, GroupLimits limits) {
    limits.requireRoom("", Math.min(weights.length, leaveOut.minNextHops()));
    try {
      return NativeReduction.reduce(
          weights,
          limit,
          limits.of(Limits.Kind.MAX_WEIGHT),
          limits.of(Limits.Kind.MAX_TOTAL_WEIGHT),
          leaveOut.minNextHops());
    } catch (IllegalArgumentException e) {
      throw new BadInputException("maxOversubscription", e.getMessage() + "; raise it or limits");
    }
  }

  private static long entries(int[] reduced, GroupLimits limits) {
    return limits.isNative()
        ? Arrays.stream(reduced).filter(weight -> weight > 0).count()
        : Arrays.stream(reduced).asLongStream().sum();
  }

  @Override
  PlainResult plainAnswer() {
    return new PlainReduction();
  }
}
