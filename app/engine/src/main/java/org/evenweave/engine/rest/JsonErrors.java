package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import javax.ws.rs.WebApplicationException;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.ext.ExceptionMapper;
import org.glassfish.jersey.server.ParamException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns an exception of a resource into {@code {"error": "..."}}. A message meant for the client (a
 * {@link WebApplicationException}) reaches the client with its status; of any other exception the
 * client learns only that it occurred; the log has the details.
 */
public final class JsonErrors implements ExceptionMapper<Throwable> {
  private static final Logger LOG = LoggerFactory.getLogger(JsonErrors.class);

  @Override
  public Response toResponse(Throwable thrown) {
    if (thrown instanceof ParamException
        && !(thrown instanceof ParamException.PathParamException)) {
      String name = ((ParamException) thrown).getParameterName();
      return response(Response.status(400), "the parameter \"" + name + "\" has a wrong value");
    }
    if (thrown instanceof WebApplicationException) {
      Response meant = ((WebApplicationException) thrown).getResponse();
      // Keeps the headers that belong to the status, such as Allow of 405.
      return response(Response.fromResponse(meant), thrown.getMessage());
    }
    LOG.error("a request failed", thrown);
    return response(Response.serverError(), "internal error; the controller's log has the details");
  }

  private static Response response(Response.ResponseBuilder builder, String message) {
    return builder.type(MediaType.APPLICATION_JSON).entity(body(message)).build();
  }

  /** {@code {"error": message}}. */
  public static String body(String message) {
    return JsonNodeFactory.instance.objectNode().put("error", message).toString();
  }
}
