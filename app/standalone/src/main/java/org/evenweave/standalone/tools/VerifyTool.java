package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.verification.ForwardingState;
import org.evenweave.wcmp.verification.Verifier;
import org.evenweave.wcmp.verification.Violation;
import picocli.CommandLine.Command;

/** {@code evenweave verify}: what is wrong with the tables of a fabric's switches. */
@Command(
    name = "verify",
    description = {
      "Checks the groups and flows of a fabric's switches.",
      "It finds loops, black holes, pairs without a path and tables that overflow. With"
          + " \"maxOversubscription\" it also checks whether every port's share is within that"
          + " limit of its ideal share, which depends on \"strategy\" as in plan (default"
          + " \"auto\").",
      "Reads one JSON object per line and answers each with one line. A line with violations"
          + " is answered with them and does not change the exit code."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  jq -c . fabric.json | evenweave plan | jq -c '.maxOversubscription=1.05' |",
      "    evenweave verify",
      "  {\"ok\":true}"
    })
public final class VerifyTool extends OfflineTool {
  @Override
  JsonNode answer(JsonNode input) {
    Fabric fabric = InputFields.fabric("fabric.", input.get("fabric"));
    ForwardingState state = StateReader.read(fabric, input.get("state"));
    List<Violation> violations =
        input.has("maxOversubscription")
            ? Verifier.verify(
                state,
                InputFields.weightRule(input, "strategy"),
                InputFields.ratio("maxOversubscription", input.get("maxOversubscription")))
            : Verifier.verify(state);
    ObjectNode answer = JsonNodeFactory.instance.objectNode().put("ok", violations.isEmpty());
    if (!violations.isEmpty()) {
      ArrayNode list = answer.putArray("violations");
      violations.forEach(violation -> list.add(write(violation)));
    }
    return answer;
  }

  private static ObjectNode write(Violation violation) {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("kind", violation.kind().text())
            .put("switch", violation.switchId());
    if (!violation.destination().isEmpty()) {
      node.put("destination", violation.destination());
    }
    return node.put("detail", violation.detail());
  }
}
