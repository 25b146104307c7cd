package org.evenweave.bench.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import org.evenweave.bench.common.BenchmarkOptions;

/** Prints the cases of a benchmark, as JSON or for people. */
public final class CasesReport {
  private CasesReport() {}

  public static void print(BenchmarkOptions options, List<Comparison> cases) {
    if (options.json) {
      ObjectNode json = JsonNodeFactory.instance.objectNode().put("seed", options.seed);
      cases.forEach(c -> json.withArray("cases").add(c.toJson()));
      System.out.println(json);
    } else {
      System.out.println("seed " + options.seed);
      System.out.println(cases.stream().map(Comparison::toText).collect(Collectors.joining("\n")));
    }
  }
}
