package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** A command on the resource {@code exclusions}, which prints what is excluded afterwards. */
abstract class ExclusionsCommand extends EvenweaveCommand {
  static final String RESOURCE = "exclusions";

  /**
   * The resource of one exclusion.
   *
   * @param element a switch, or a link by one of its ends, as the operator writes it
   */
  static String resource(String element) {
    return RESOURCE + "/" + SwitchResolver.encodedPath(SwitchResolver.here().elementId(element));
  }

  @Override
  protected final List<String> lines(JsonNode data) {
    return List.of(
        new Line(0)
            .withList("excludedSwitches", data.get("switches"))
            .withList("excludedLinks", data.get("links"))
            .toString());
  }
}
