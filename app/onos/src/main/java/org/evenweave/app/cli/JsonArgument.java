package org.evenweave.app.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.karaf.shell.support.CommandException;
import org.evenweave.app.rest.RestRequest;

/** JSON as an argument of a command. */
final class JsonArgument {
  private JsonArgument() {}

  /**
   * The request that puts it. What it means is for the resource to judge.
   *
   * @throws CommandException if it is no JSON, as when the shell has taken its quotes
   */
  static RestRequest put(String resource, String json) throws CommandException {
    try {
      if (!new ObjectMapper().readTree(json).isMissingNode()) {
        return RestRequest.put(resource, json);
      }
      throw new CommandException("the JSON is empty");
    } catch (JsonProcessingException e) {
      throw new CommandException(
          "invalid JSON at character "
              + e.getLocation().getColumnNr()
              + " of "
              + json
              + "; put it in single quotes",
          e);
    }
  }
}
