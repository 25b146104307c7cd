package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;
import org.evenweave.engine.config.FabricReader;

/** Compares how the fabric's links are striped with the striping plans for its switches. */
@Service
@Command(
    scope = "onos",
    name = "wcmp-stripe",
    description = "Compares the present striping with rotation and group striping")
public final class StripeCommand extends EvenweaveCommand {
  @Override
  protected JsonNode data() throws Exception {
    JsonNode topology = request(RestRequest.get("topology"));
    return new FabricStriping(FabricReader.fabricOf(topology.get("fabric"))).toJson();
  }

  @Override
  protected List<String> lines(JsonNode data) {
    List<String> lines = new ArrayList<>();
    for (JsonNode striping : data.get("striping")) {
      JsonNode links = striping.get("throughput");
      lines.add(
          new Line(0)
              .with("striping", striping.get("kind").asText())
              .with("minLinks", links.get("min").asText())
              .withRatio("meanLinks", links.get("mean").asDouble())
              .with("maxLinks", links.get("max").asText())
              .toString());
      for (int row = 0; row < data.get("s1").size(); row++) {
        Line line = new Line(1).with("switch", data.get("s1").get(row).asText());
        for (int column = 0; column < data.get("s2").size(); column++) {
          line.with(
              data.get("s2").get(column).asText(),
              striping.get("matrix").get(row).get(column).asText());
        }
        lines.add(line.toString());
      }
    }
    if (data.has("verdict")) {
      lines.add("verdict: " + data.get("verdict").get("text").asText());
    }
    if (data.has("problem")) {
      lines.add(data.get("problem").asText());
    }
    return lines;
  }
}
