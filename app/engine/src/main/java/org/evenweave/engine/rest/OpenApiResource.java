package org.evenweave.engine.rest;

import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.schema.OpenApiDocument;

/** The description of all resources of both runtimes (OpenAPI 3.1). */
@Path("openapi.json")
@Produces(MediaType.APPLICATION_JSON)
public final class OpenApiResource {
  /** The whole document, which refers to nothing outside of it. */
  @GET
  public String document() {
    return Document.TEXT;
  }

  /** Put together for the first client that asks for it, so that no start waits for it. */
  private static final class Document {
    static final String TEXT = OpenApiDocument.read().toString();
  }
}
