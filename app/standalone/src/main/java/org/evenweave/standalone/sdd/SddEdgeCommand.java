package org.evenweave.standalone.sdd;

import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code evenweave sdd edge}: shows or replaces what is ordered of the hosts' edges. */
@Command(
    name = "edge",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Shows or replaces the order for the hosts' edges.",
      "An order has schemes and parameters by destination. Sessions and flowlets stay."
          + " It applies until the controller stops, and at linked controllers that take over.",
      "To see the state of edges: evenweave sdd show edge"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenweave sdd edge > order.json",
      "  evenweave sdd edge order.json",
      "  echo '{\"scheme\":\"clove-ecn\",\"gapUs\":250}' | evenweave sdd edge -",
      "  echo '{\"10.0.2.0/24\":{\"10.1.0.1\":0.75}}' | evenweave sdd edge --weights -",
      "  evenweave sdd edge --discover"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "1:the controller cannot be reached, or refuses the order and keeps its own, or accepts"
          + " it but cannot confirm that other controllers have it"
    })
final class SddEdgeCommand extends SddRestCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description =
          "The order: the value of edge in the configuration, without hosts; -: standard input.")
  private String file;

  @Option(names = "--none", description = "Removes the order: every edge follows its own file.")
  private boolean none;

  @Option(
      names = "--weights",
      paramLabel = "FILE",
      description =
          "Weights of next hops, by destination prefix and by the address with which a hop"
              + " answers probes, until the controller's own fabric changes; {}: none; -: standard"
              + " input.")
  private String weights;

  @Option(names = "--discover", description = "Starts the discovery of paths at all edges now.")
  private boolean discover;

  @Override
  String answer(SddRest rest) throws InterruptedException, SddRest.NoAnswerException {
    int asked =
        (none ? 1 : 0) + (discover ? 1 : 0) + (weights != null ? 1 : 0) + (file != null ? 1 : 0);
    if (asked > 1) {
      throw wrong("one of FILE, --none, --weights and --discover, not two");
    }
    if (discover) {
      rest.post("edge/discovery");
      return "";
    }
    if (none) {
      rest.put("edge/order", "{}".getBytes(StandardCharsets.UTF_8));
      return "";
    }
    if (weights != null) {
      return SddRest.text(rest.put("edge/weights", JsonFile.read(weights, spec)));
    }
    return SddRest.text(
        file == null
            ? rest.get("edge").get("order")
            : rest.put("edge/order", JsonFile.read(file, spec)));
  }
}
