package org.evenweave.sdd.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import javax.ws.rs.core.Response;

/** A response {@code {"error": "..."}}. */
final class ErrorResponse {
  private ErrorResponse() {}

  static Response of(int status, String error) {
    String body = JsonNodeFactory.instance.objectNode().put("error", error).toString();
    return Response.status(status).entity(body).build();
  }
}
