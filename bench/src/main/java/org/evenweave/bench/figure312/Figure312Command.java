package org.evenweave.bench.figure312;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench figure-3.12}: table entries before and after weight reduction. */
@Command(
    name = "figure-3.12",
    description = {
      "Reproduces the dissertation's Figure 3.12.",
      "Finds the most table entries that an S1 switch needs, with 5 to 19 group-striped"
          + " S1 switches, before and after reduction, with and without sharing of equal"
          + " groups; and holds the paper's claims against it. With --leave-out it compares"
          + " groups that have an entry for each port with groups that leave ports out"
          + " instead. Always the same result. Prints Markdown, or JSON.",
      "Example: ./evenweave bench figure-3.12 --svg figure-3.12.svg"
    })
public final class Figure312Command implements Runnable {
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print one JSON object; progress goes to stderr.")
  private boolean json;

  @Option(names = "--svg", paramLabel = "FILE", description = "Draw the figure into a file too.")
  private Path svg;

  @Option(names = "--leave-out", description = "Show what leaving ports out changes; no JSON.")
  private boolean leaveOut;

  @Option(names = "--help", usageHelp = true, description = "Show this help and exit.")
  boolean help;

  @Override
  public void run() {
    if (leaveOut && json) {
      throw new ParameterException(
          spec.commandLine(), "--json: not with --leave-out; remove one of the two");
    }
    Figure312 figure = new Figure312();
    if (svg != null) {
      try {
        Files.writeString(svg, Figure312Plot.svg(figure, leaveOut));
      } catch (IOException e) {
        throw new ParameterException(
            spec.commandLine(),
            "--svg: cannot write " + svg + " (" + e.getClass().getSimpleName() + ")");
      }
    }
    if (leaveOut) {
      System.out.print(MarkdownTables.ofLeavingOut(figure));
    } else if (json) {
      System.out.println(toJson(figure, Claims.about(figure)));
    } else {
      System.out.print(MarkdownTables.of(figure, Claims.about(figure)));
    }
  }

  private static ObjectNode toJson(Figure312 figure, List<Claim> claims) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("experiment", "figure-3.12").put("paper", "figure 3.12");
    for (int uplinks : Figure312.UPLINKS) {
      for (Point point : figure.points(uplinks)) {
        for (boolean sharing : new boolean[] {false, true}) {
          for (Scheme scheme : Scheme.PAPER) {
            json.withArray("rows")
                .addObject()
                .put("scheme", scheme.label)
                .put("sharing", sharing)
                .put("uplinks", uplinks)
                .put("downlinks", Figure312.downlinks(uplinks))
                .put("s1", point.s1())
                .put("metric", "maxTableEntries")
                .put("value", point.maxEntries(scheme, sharing));
          }
        }
      }
    }
    for (Claim claim : claims) {
      json.withArray("claims")
          .addObject()
          .put("paper", claim.paper)
          .put("here", claim.here)
          .put("holds", claim.holds);
    }
    return json;
  }
}
