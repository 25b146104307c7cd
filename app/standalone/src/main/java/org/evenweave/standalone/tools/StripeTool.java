package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.JsonNode;
import org.evenweave.engine.striping.StripingAnswer;
import picocli.CommandLine.Command;

/** {@code evenweave stripe}: which S1 and S2 switches to wire, what it achieves, how to grow it. */
@Command(
    name = "stripe",
    description = {
      "Plans the links between the S1 and S2 switches of a fabric.",
      "Reads one JSON object per line and answers each with one line: in \"matrix\""
          + " rows are S1 switches, columns S2 switches; \"throughput\" is that of the pairs"
          + " of S1 switches. Both are in links. \"kind\" is \"rotation\" or \"group\", or"
          + " \"compare\" for the throughput of each, with its distribution over the pairs.",
      "",
      "Optional fields:",
      "  \"picture\":true        the answer's \"svg\" is a picture of the plan",
      "  \"cables\":true         the answer's \"cables\" has both ports of each cable",
      "  \"addS1\":n, \"addS2\":n  switches to add to the fabric once it is wired; the",
      "                        answer's \"expansion\" says which cables to move"
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  echo '{\"kind\":\"group\",\"s1\":4,\"s2\":4,\"uplinks\":6,\"downlinks\":6}' |",
      "    evenweave stripe",
      "  {\"matrix\":[[2,2,1,1],[2,2,1,1],[1,1,2,2],[1,1,2,2]],",
      "   \"throughput\":{\"min\":4,\"mean\":4.666666666666667,\"max\":6}}   (on one line)"
    })
public final class StripeTool extends OfflineTool {
  @Override
  JsonNode answer(JsonNode input) {
    return StripingAnswer.to(input);
  }
}
