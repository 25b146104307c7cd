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
      "Shows or replaces what is ordered of the hosts' edges.",
      "That is schemes and parameters by destination. Sessions and flowlets stay. An",
      "order counts until the controller stops, and at linked ones that take over.",
      "What edges do is in: evenweave sdd show edge"
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
      "1:the controller cannot be reached, refuses the order and keeps the one it has, or has"
          + " the new one and cannot say that others have it"
    })
final class SddEdgeCommand extends SddRestCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description =
          "The order: edge of the configuration, by itself and without hosts. -: standard input.")
  private String file;

  @Option(names = "--none", description = "Orders nothing: every edge goes by its own file.")
  private boolean none;

  @Option(
      names = "--weights",
      paramLabel = "FILE",
      description =
          "Weights of next hops, by destination prefix and the address that a hop answers probes"
              + " with, until the controller's own fabric changes. {}: none. -: standard input.")
  private String weights;

  @Option(names = "--discover", description = "Has all edges discover their paths now.")
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
