package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.evenweave.engine.config.LeaveOutReader;
import org.evenweave.wcmp.fabric.LeaveOut;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.fitting.FittedGroups;
import org.evenweave.wcmp.fitting.GroupSetFitting;
import org.evenweave.wcmp.fitting.Links;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.TableTooSmallException;
import picocli.CommandLine.Command;

/** {@code evenweave fit}: many groups in one table, by one of several objectives. */
@Command(
    name = "fit",
    description = {
      "Fits WCMP groups into a table with the least common oversubscription.",
      "Reads one JSON object per line and answers each with one line.",
      "",
      "Optional fields:",
      "  \"objective\":...   \"oversubscription\", \"l1\" (the least sum of differences",
      "                    from ideal shares) or \"utilisation\" (of the busiest link)",
      "  \"ports\":[[...]]   with \"utilisation\": the port of each weight (default",
      "                    1, 2, ...)",
      "  \"capacities\":[...]  with \"utilisation\": capacities of ports 1, 2, ...",
      "  \"demands\":[...]   one number per group: its traffic",
      "  \"sharing\":true    groups of equal weights share entries",
      "  \"leaveOut\":\"auto\" ports may get no entries where that brings the objective",
      "                    down (default \"never\"); the answer's \"capacityLost\" is each",
      "                    group's share of capacity on them",
      "  \"minNextHops\":2   with \"auto\": at least this many ports of a group get entries",
      "  \"target\":\"native\" a weight is a number: each port takes one entry",
      "                    (default \"replicated\")",
      "  \"limits\":{...}    of each group: \"groupEntries\"; with \"native\" also",
      "                    \"maxWeight\" of a port and \"maxTotalWeight\" of all"
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  echo '{\"groups\":[[2,2,3,5],[1,4]],\"entries\":10}' | evenweave fit",
      "  {\"groups\":[[1,1,1,2],[1,4]],\"entries\":10,\"oversubscription\":1.2,",
      "   \"perGroup\":[1.2,1.0]}   (on one line)"
    })
public final class FitTool extends OfflineTool {
  private static final byte[] GROUPS = "\"groups\"".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ENTRIES = "\"entries\"".getBytes(StandardCharsets.US_ASCII);

  /** As in the schema; more are an error that it words. */
  private static final int MAX_ENTRIES = 1 << 24;

  @Override
  JsonNode answer(JsonNode input) {
    int entries = input.get("entries").intValue();
    String objective = input.path("objective").asText("oversubscription");
    GroupLimits limits = GroupLimits.of(input);
    if (limits.isGiven() && !objective.equals("oversubscription")) {
      throw new BadInputException(
          limits.isNative() ? "target" : "limits", "is for the objective oversubscription only");
    }
    GroupSetFitting fitting = fitting(input, limits);
    boolean leavesOut = !leaveOut(input).equals(LeaveOut.NEVER);
    for (String field : List.of("ports", "capacities")) {
      if (input.has(field) && !objective.equals("utilisation")) {
        throw new BadInputException(field, "is for the objective utilisation only");
      }
    }
    try {
      switch (objective) {
        case "l1":
          return withL1(fitting.intoByL1(entries), leavesOut);
        case "utilisation":
          return withUtilisation(fitting, entries, FitLinks.of(input), leavesOut);
        default:
          return json(into(fitting, entries, limits), leavesOut);
      }
    } catch (TableTooSmallException e) {
      throw new BadInputException(
          "entries", entries + " are too few; the least sufficient value is " + e.leastEntries());
    }
  }

  private static FittedGroups into(GroupSetFitting fitting, int entries, GroupLimits limits) {
    return limits.isNative()
        ? fitting.intoNumbers(
            entries, limits.of(Limits.Kind.MAX_WEIGHT), limits.of(Limits.Kind.MAX_TOTAL_WEIGHT))
        : fitting.into(entries);
  }

  @Override
  PlainResult plainAnswer() {
    return FitTool::answerPlain;
  }

  /** Answers a line of groups, entries and nothing else. */
  private static boolean answerPlain(PlainLine line, ResultBuffer answer) throws IOException {
    List<long[]> groups = new ArrayList<>();
    if (!(line.take('{') && line.take(GROUPS) && line.take(':') && line.take('['))) {
      return false;
    }
    do {
      if (!line.takeNumbers()) {
        return false;
      }
      groups.add(Arrays.copyOf(line.numbers(), line.count()));
    } while (line.take(','));
    if (!(line.take(']') && line.take(',') && line.take(ENTRIES) && line.take(':'))) {
      return false;
    }
    long entries = line.takeNumber();
    if (entries < 0 || entries > MAX_ENTRIES || !line.take('}') || !line.atEnd()) {
      return false;
    }
    Json.write(json(GroupSetFitting.of(groups).into((int) entries), false), answer);
    return true;
  }

  private static ObjectNode json(FittedGroups fitted, boolean leavesOut) {
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ArrayNode groups = answer.putArray("groups");
    answer.put("entries", fitted.entries());
    answer.put("oversubscription", fitted.oversubscription().toDouble());
    ArrayNode perGroup = answer.putArray("perGroup");
    for (int g = 0; g < fitted.size(); g++) {
      groups.addPOJO(fitted.weights(g));
      perGroup.add(fitted.oversubscription(g).toDouble());
    }
    if (leavesOut) {
      ArrayNode capacityLost = answer.putArray("capacityLost");
      for (int g = 0; g < fitted.size(); g++) {
        capacityLost.add(fitted.capacityLost(g).toDouble());
      }
    }
    return answer;
  }

  private static ObjectNode withL1(FittedGroups fitted, boolean leavesOut) {
    return json(fitted, leavesOut).put("l1", fitted.l1());
  }

  private static ObjectNode withUtilisation(
      GroupSetFitting fitting, int entries, Links links, boolean leavesOut) {
    FittedGroups fitted = fitting.intoByUtilisation(entries, links);
    if (!(fitted.utilisation(links) <= Double.MAX_VALUE)) {
      throw new BadInputException("demands", "are too large for the capacities");
    }
    return withL1(fitted, leavesOut)
        .put("utilisation", fitted.utilisation(links))
        .put("idealUtilisation", fitted.idealUtilisation(links));
  }

  private static GroupSetFitting fitting(JsonNode input, GroupLimits limits) {
    List<long[]> groups = new ArrayList<>();
    input.get("groups").forEach(weights -> groups.add(InputFields.longs(weights)));
    GroupSetFitting fitting = GroupSetFitting.of(groups);
    if (input.has("demands")) {
      fitting = fitting.withDemands(demands(input.get("demands"), groups.size()));
    }
    if (input.path("sharing").asBoolean()) {
      fitting = fitting.withSharing();
    }
    int minNextHops = leaveOut(input).minNextHops();
    for (int g = 0; g < groups.size(); g++) {
      limits.requireRoom("groups[" + g + "]: ", Math.min(minNextHops, groups.get(g).length));
    }
    return fitting.withMinNextHops(minNextHops).withAtMost(limits.of(Limits.Kind.GROUP_ENTRIES));
  }

  private static LeaveOut leaveOut(JsonNode input) {
    return LeaveOutReader.read(input, LeaveOut.NEVER);
  }

  private static List<Ratio> demands(JsonNode array, int groups) {
    if (array.size() != groups) {
      throw new BadInputException(
          "demands", "must have one number per group, " + groups + ", not " + array.size());
    }
    List<Ratio> demands = new ArrayList<>();
    for (int g = 0; g < groups; g++) {
      demands.add(InputFields.ratio("demands[" + g + "]", array.get(g)));
    }
    return demands;
  }
}
