package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.schema.OpenApiDocument;

/** The description of all resources of both runtimes (OpenAPI 3.1), or of some of them. */
@Path("openapi.json")
@Produces(MediaType.APPLICATION_JSON)
public final class OpenApiResource {
  private final Predicate<String> shown;
  private String document;

  /** Describes all of them. */
  public OpenApiResource() {
    this(path -> true);
  }

  /**
   * Describes some of them, where a program is not one of the two runtimes.
   *
   * @param shown whether a path, such as {@code /sdd/status}, is described
   */
  public OpenApiResource(Predicate<String> shown) {
    this.shown = shown;
  }

  /**
   * The document, which refers to nothing outside of it. It is put together for the first client
   * that asks for it, so that no start waits for it.
   */
  @GET
  public synchronized String document() {
    if (document == null) {
      ObjectNode all = OpenApiDocument.read();
      ObjectNode paths = (ObjectNode) all.get("paths");
      List<String> names = new ArrayList<>();
      paths.fieldNames().forEachRemaining(names::add);
      names.removeIf(shown);
      paths.remove(names);
      document = all.toString();
    }
    return document;
  }
}
