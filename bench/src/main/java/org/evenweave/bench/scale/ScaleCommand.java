package org.evenweave.bench.scale;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.evenweave.bench.common.BenchmarkOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench scale}: routes and weights of large fat-trees, from scratch and after events. */
@Command(
    name = "scale",
    description = {
      "From an event to a verified plan, in fabrics of up to 100,000 servers.",
      "Runs the engine on three-stage fat-trees of 1,000, 10,000 and 100,000 servers:"
          + " the first plan of the whole fabric; then links and switches that fail and come"
          + " back, and hosts that arrive, each timed from its report to the first message of"
          + " a plan that has been verified (\"whole\"), and until all switches have"
          + " confirmed, with merged rules too (\"aggregated\"), in the smallest with the"
          + " strategy pair (\"pairs\"); and rules of somebody else that drop traffic, until"
          + " each is named, with links that fail among them (\"foreignRules\"). Routes and"
          + " weights alone as well, from scratch and after link, switch and 1,000 random"
          + " events (\"routesOnly\"). Exit status 1 if a computation from scratch finds"
          + " anything to change at the end.",
      "Example: ./evenweave bench scale --json | jq .whole.linkEventMs"
    })
public final class ScaleCommand implements Callable<Integer> {
  /** Ports of a switch, for 1,024, 9,826 and 101,306 servers. */
  private static final int[] SIZES = {16, 34, 74};

  private static final int[] QUICK_SIZES = {4, 6, 8};

  private static final double MS_PER_S = 1e3;

  private static final String[] KINDS = {"linkEvent", "switchEvent", "randomEvent"};

  @Mixin private BenchmarkOptions options;

  @Override
  public Integer call() {
    List<ObjectNode> growth = new ArrayList<>();
    for (int k : options.quick ? QUICK_SIZES : SIZES) {
      ScaleRun run = new ScaleRun(k, options.seed);
      growth.add(options.quick ? run.measure(3, 10, 50) : run.measure(6, 100, 1000));
    }
    if (options.json) {
      System.out.println(toJson(growth));
    } else {
      print(growth);
    }
    return growth.stream().allMatch(size -> size.get("identical").asBoolean()) ? 0 : 1;
  }

  /** The largest fabric's figures, then those of all. */
  private ObjectNode toJson(List<ObjectNode> growth) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("seed", options.seed);
    json.setAll(growth.get(growth.size() - 1));
    json.putArray("growth").addAll(growth);
    return json;
  }

  private void print(List<ObjectNode> growth) {
    System.out.println("seed " + options.seed);
    for (JsonNode size : growth) {
      System.out.printf(
          Locale.ROOT,
          "%n%,d servers, %,d switches, %,d links: full %.1f ms, %.1f MB; as computed anew: %s%n",
          size.get("servers").asLong(),
          size.get("switches").asInt(),
          size.get("links").asInt(),
          size.get("fullMs").asDouble(),
          size.get("memoryMb").asDouble(),
          size.get("identical").asBoolean() ? "yes" : "NO");
      System.out.printf(
          Locale.ROOT,
          "%12s %11s %11s %12s %17s %22s%n",
          "",
          "p50",
          "p99",
          "full to p50",
          "by processor time",
          "groups touched (mean)");
      for (String kind : KINDS) {
        System.out.printf(
            Locale.ROOT,
            "%12s %8.2f ms %8.2f ms %12.0f %17.0f %,22.0f%n",
            kind,
            size.at("/" + kind + "Ms/p50").asDouble(),
            size.at("/" + kind + "Ms/p99").asDouble(),
            size.at("/fullToEvent/" + kind).asDouble(),
            size.at("/fullToEventCpu/" + kind).asDouble(),
            size.at("/groupsTouched/" + kind + "/mean").asDouble());
      }
      printWhole(size.get("whole"));
      printUntilConfirmed("a rule for each prefix", size.get("whole"));
      printUntilConfirmed("merged rules", size.get("aggregated"));
      if (size.has("pairs")) {
        printUntilFlows("pair", size.get("pairs"));
      }
      printForeignRules(size.get("foreignRules"));
      JsonNode auto = size.get("auto");
      System.out.printf(
          Locale.ROOT,
          "strategy auto is %s: %s%n",
          auto.get("strategy").asText(),
          auto.get("why").asText());
      if (auto.has(WholeWay.KINDS[2] + "Ms")) {
        printUntilFlows("auto", auto);
      }
    }
  }

  private static void printWhole(JsonNode whole) {
    System.out.printf(
        Locale.ROOT,
        "the whole way, with %,d hosts: first plan %.1f s, %,.0f MB; as compiled anew: %s%n",
        whole.get("hosts").asInt(),
        whole.get("firstPlanMs").asDouble() / MS_PER_S,
        whole.get("memoryMb").asDouble(),
        whole.get("identical").asBoolean() ? "yes" : "NO");
    for (String kind : WholeWay.KINDS) {
      System.out.printf(
          Locale.ROOT,
          "%24s %8.2f ms %8.2f ms %,12.0f changes%n",
          kind,
          whole.at("/" + kind + "Ms/p50").asDouble(),
          whole.at("/" + kind + "Ms/p99").asDouble(),
          whole.at("/" + kind + "Operations/p50").asDouble());
    }
  }

  private static void printUntilFlows(String strategy, JsonNode measured) {
    String kind = WholeWay.KINDS[2];
    System.out.printf(
        Locale.ROOT,
        "strategy %s, %s: %.2f ms p50, %.2f ms p99 to the first plan, %.0f ms p50 to the last%n",
        strategy,
        kind,
        measured.at("/" + kind + "Ms/p50").asDouble(),
        measured.at("/" + kind + "Ms/p99").asDouble(),
        measured.at("/" + kind + "ConfirmedMs/p50").asDouble());
  }

  private static void printForeignRules(JsonNode measured) {
    System.out.printf(
        Locale.ROOT,
        "%d foreign rules: each named in %.2f ms p50, %.2f ms p99; %s among them: %.2f ms p50,"
            + " %.2f ms p99 to the first plan, %.2f ms p50 until their effect is computed anew%n",
        measured.get("named").asInt(),
        measured.at("/" + WholeWay.FOREIGN_RULE + "Ms/p50").asDouble(),
        measured.at("/" + WholeWay.FOREIGN_RULE + "Ms/p99").asDouble(),
        WholeWay.KINDS[0],
        measured.at("/" + WholeWay.AMONG_FOREIGN_RULES + "Ms/p50").asDouble(),
        measured.at("/" + WholeWay.AMONG_FOREIGN_RULES + "Ms/p99").asDouble(),
        measured.at("/" + WholeWay.AMONG_FOREIGN_RULES + "ConfirmedMs/p50").asDouble());
  }

  private static void printUntilConfirmed(String rules, JsonNode whole) {
    String cpuMs = "/" + WholeWay.KINDS[0] + "ConfirmedCpuMs";
    System.out.printf(
        Locale.ROOT,
        "until all with %s (%,d) have confirmed a %s: %.2f ms p50, %.2f ms p99 of a core%n",
        rules,
        whole.get("rules").asLong(),
        WholeWay.KINDS[0],
        whole.at(cpuMs + "/p50").asDouble(),
        whole.at(cpuMs + "/p99").asDouble());
  }
}
