package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/** Audits all switches now; drift is repaired. */
@Service
@Command(
    scope = "onos",
    name = "wcmp-audit",
    description =
        "Reads every switch back now and repairs tables that differ from the installed ones")
public final class AuditCommand extends EvenweaveCommand {
  @Override
  protected JsonNode data() throws Exception {
    return request(RestRequest.post("audit"));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    List<String> lines = new ArrayList<>();
    lines.add(
        new Line(0).with(data, "switches").with("drifted", data.get("drifted").size()).toString());
    for (JsonNode difference : data.get("differences")) {
      lines.add(
          new Line(1)
              .with("repairing", difference.get("switch").asText())
              .with(difference, "detail")
              .toString());
    }
    lines.addAll(ForeignLines.of(data));
    return lines;
  }
}
