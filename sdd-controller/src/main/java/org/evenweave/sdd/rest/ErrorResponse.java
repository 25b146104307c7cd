package org.evenweave.sdd.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import javax.ws.rs.core.Response;
import org.evenweave.sdd.config.SddConfigException;

/** A response {@code {"error": "..."}}. */
final class ErrorResponse {
  private ErrorResponse() {}

  /** 400 if the schema does not allow the body, so that a client can tell beforehand; else 409. */
  static Response of(SddConfigException problem) {
    boolean isForm = problem instanceof SddConfigException.FormException;
    return of(isForm ? 400 : 409, problem.getMessage());
  }

  static Response of(int status, String error) {
    String body = JsonNodeFactory.instance.objectNode().put("error", error).toString();
    return Response.status(status).entity(body).build();
  }
}
