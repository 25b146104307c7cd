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
 * A command about the engine or the SDD controller. It uses the REST resources, so that it works on
 * every instance; as text it prints a line per thing in ONOS's style, {@code name=value,
 * name=value}.
 *
 * <p>A command fails with Karaf's own {@link CommandException}: Karaf checks the class's name, and
 * logs any other exception as an error with its stack trace.
 */
public abstract class EvenweaveCommand extends AbstractShellCommand {
  static final String NOT_READY =
      "Evenweave is starting or stopping on this instance; try again in a few seconds";

  /**
   * The JSON to print.
   *
   * @throws CommandException with the reason to print if there is none
   */
  protected abstract JsonNode data() throws Exception;

  /** The data as text. */
  protected abstract List<String> lines(JsonNode data);

  /**
   * Called when all is printed; sets the exit status of a check.
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
   * All pages of a list.
   *
   * @param field the list's field of the response
   * @param query further query parameters; may be empty
   */
  protected final JsonNode requestAll(String resource, String field, String query)
      throws Exception {
    JsonNode all = request(RestRequest.get(resource + "?" + query));
    for (JsonNode page = all; page.has("next"); ) {
      page =
          request(RestRequest.get(resource + "?offset=" + page.get("next").asInt() + "&" + query));
      ((ArrayNode) all.get(field)).addAll((ArrayNode) page.get(field));
    }
    ((ObjectNode) all).remove("next");
    return all;
  }

  /** The JSON of a resource's response. */
  protected final JsonNode request(RestRequest request) throws Exception {
    RestResponse response = get(RestClient.class).send(request);
    JsonNode body = mapper().readTree(response.text());
    if (response.status() >= 400) {
      throw new CommandException(body.path("error").asText());
    }
    return body;
  }
}
