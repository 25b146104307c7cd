package org.evenweave.standalone.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evenweave what-if}: predicts the effect of a change without making it. */
@Command(
    name = "what-if",
    description = {
      "Predicts the effect of excluding switches and links, and of adding links or changing"
          + " their rates.",
      "The controller computes it; the network does not change. Exits with 4 if pairs would be"
          + " cut off or the groups would not fit."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenweave what-if --exclude s2-1 --exclude s1-0/1",
      "  evenweave what-if --link s1-0/9,s2-0/9,10e9",
      "  evenweave what-if --every-failure"
    })
public final class WhatIfCommand extends ClientCommand {
  private static final int LINK_PARTS = 3;

  @Option(
      names = "--exclude",
      paramLabel = "ELEMENT",
      description = "A switch, or a link by either end; repeatable.")
  private List<String> excluded = new ArrayList<>();

  @Option(
      names = "--link",
      paramLabel = "A,B,BPS",
      description = "A link by its ends, with its rate in bit/s; new or with another rate.")
  private List<String> links = new ArrayList<>();

  @Option(
      names = "--every-failure",
      description = "Shows each single failure of a link or a switch too.")
  private boolean everyFailure;

  @Override
  int run(Rest rest) throws ClientException, InterruptedException {
    JsonNode answer = rest.send("POST", "what-if", request().toString());
    print(answer, text(answer));
    boolean bad = answer.has("problem") || answer.path("cutPairs").asInt() > 0;
    return bad ? ClientException.NOT_AS_IT_SHOULD_BE : 0;
  }

  private ObjectNode request() {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    ObjectNode exclude = request.putObject("exclude");
    ArrayNode excludedLinks = exclude.putArray("links");
    ArrayNode excludedSwitches = exclude.putArray("switches");
    for (String element : excluded) {
      (element.indexOf('/') < 0 ? excludedSwitches : excludedLinks).add(element);
    }
    ArrayNode added = request.putArray("links");
    for (String link : links) {
      String[] parts = link.split(",", -1);
      if (parts.length != LINK_PARTS) {
        throw wrong("--link: \"" + link + "\" is not like s1-0/9,s2-0/9,10e9");
      }
      added.addObject().put("a", parts[0]).put("b", parts[1]).put("bps", rate(parts[2]));
    }
    return request.put("everyFailure", everyFailure);
  }

  private long rate(String text) {
    try {
      double bps = Double.parseDouble(text);
      if (bps >= 1 && bps <= Long.MAX_VALUE) {
        return Math.round(bps);
      }
    } catch (NumberFormatException e) {
      // Reported below, with what it should be.
    }
    throw wrong("--link: the rate \"" + text + "\" is not a number of bit/s, such as 10e9");
  }

  private static String text(JsonNode answer) {
    StringBuilder text = new StringBuilder();
    if (answer.has("problem")) {
      text.append("problem: ").append(answer.get("problem").asText()).append('\n');
    }
    if (answer.has("oversubscription")) {
      text.append("oversubscription ").append(change(answer.path("oversubscription")));
      text.append("; groups changed ")
          .append(answer.path("plan").path("groupsChanged").asText("0"));
      text.append("; rules changed ").append(answer.path("plan").path("flowsChanged").asText("0"));
      text.append("; rounds ").append(answer.path("plan").path("rounds").size());
      text.append("; pairs cut off ").append(answer.path("cutPairs").asText("0")).append('\n');
    }
    Table switches = new Table("SWITCH", "TABLE", "ENTRIES", "OVERSUBSCRIPTION");
    for (JsonNode row : answer.path("switches")) {
      switches.row(
          row.path("switch").asText(),
          row.path("table").asText(),
          row.path("entries").path("before").asText()
              + " -> "
              + row.path("entries").path("after").asText(),
          change(row.path("oversubscription")));
    }
    Table pairs = new Table("FROM", "TO", "NOW", "THEN");
    for (JsonNode row : answer.path("pairs")) {
      pairs.row(
          row.path("from").asText(),
          row.path("to").asText(),
          bps(row.path("beforeBps").asDouble()),
          bps(row.path("afterBps").asDouble()));
    }
    for (Table table : new Table[] {switches, pairs, failures(answer)}) {
      text.append(table.isEmpty() ? "" : "\n" + table);
    }
    return text.toString();
  }

  private static String change(JsonNode change) {
    return String.format(
        Locale.ROOT,
        "%.4f -> %.4f",
        change.path("before").asDouble(),
        change.path("after").asDouble());
  }

  private static Table failures(JsonNode answer) {
    Table table =
        new Table(
            "FAILURE OF",
            "SLOWER PAIRS",
            "WORST PAIR",
            "NOW",
            "THEN",
            "OVERSUBSCRIPTION",
            "CUT OFF");
    for (JsonNode row : answer.path("failures").path("rows")) {
      JsonNode worst = row.path("worst");
      table.row(
          row.path("failed").asText(),
          row.path("slowerPairs").asText(),
          row.has("problem")
              ? row.get("problem").asText()
              : worst.isMissingNode()
                  ? ""
                  : worst.path("from").asText() + " to " + worst.path("to").asText(),
          worst.isMissingNode() ? "" : bps(worst.path("beforeBps").asDouble()),
          worst.isMissingNode() ? "" : bps(worst.path("afterBps").asDouble()),
          ratio(row.path("oversubscription")),
          row.path("cutPairs").asText());
    }
    return table;
  }
}
