package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.apache.karaf.shell.support.CommandException;
import org.evenweave.app.rest.RestClient;
import org.evenweave.app.rest.RestRequest;
import org.evenweave.app.rest.RestResponse;
import org.onlab.osgi.ServiceNotFoundException;
import org.onosproject.cli.AbstractShellCommand;

/**
 * A command about what the engine or the SDD controller knows. It asks the REST resources, so that
 * it works on every instance; as text it prints a line per thing in ONOS's style, {@code
 * name=value, name=value}.
 *
 * <p>A command fails with Karaf's own {@link CommandException}: Karaf goes by the class's name, and
 * logs any other exception as an error with its stack trace.
 */
public abstract class EvenweaveCommand extends AbstractShellCommand {
  static final String NOT_READY =
      "Evenweave is starting or stopping on this instance; try again in a few seconds";

  /**
   * What the command is about.
   *
   * @throws CommandException to say what the operator should know instead
   */
  protected abstract JsonNode data() throws Exception;

  /** The data as text. */
  protected abstract List<String> lines(JsonNode data);

  /**
   * Called when all is printed; for commands that judge.
   *
   * @throws CommandException if the command is to end with an exit status other than 0
   */
  protected void conclude(JsonNode data) throws CommandException {}

  @Override
  protected final void doExecute() throws Exception {
    JsonNode data;
    try {
      data = data();
    } catch (ServiceNotFoundException e) {
      throw new CommandException(NOT_READY, e);
    }
    if (outputJson()) {
      print("%s", data);
    } else {
      lines(data).forEach(line -> print("%s", line));
    }
    conclude(data);
  }

  /**
   * All of a list that a resource gives in pages.
   *
   * @param field the list's field of the answer
   * @param query what else to ask for; may be empty
   */
  protected final JsonNode askAll(String resource, String field, String query) throws Exception {
    JsonNode all = ask(RestRequest.get(resource + "?" + query));
    for (JsonNode page = all; page.has("next"); ) {
      page = ask(RestRequest.get(resource + "?offset=" + page.get("next").asInt() + "&" + query));
      ((ArrayNode) all.get(field)).addAll((ArrayNode) page.get(field));
    }
    ((ObjectNode) all).remove("next");
    return all;
  }

  /** The JSON a resource answers with. */
  protected final JsonNode ask(RestRequest question) throws Exception {
    RestResponse answer = get(RestClient.class).ask(question);
    JsonNode body = mapper().readTree(answer.text());
    if (answer.status() >= 400) {
      throw new CommandException(body.path("error").asText());
    }
    return body;
  }
}
