package org.evenweave.web;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.EntityTag;
import javax.ws.rs.core.Request;
import javax.ws.rs.core.Response;

/**
 * The operator's page. It finds the REST resources beside itself, so that it works under the root
 * of either runtime, and loads nothing from elsewhere.
 */
@Path("page")
public final class PageResource {
  /** Where the page is below the root of the REST resources. */
  public static final String PATH = "page/";

  private static final String POLICY =
      "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " object-src 'none'";

  private static final String FOR_A_YEAR = "public, max-age=31536000, immutable";

  /**
   * The document, or one of the files that it asks for. 404 for any other name.
   *
   * @param name as in {@code assets/index-4f3a.js}; empty for the document
   */
  @GET
  @Path("{name: .*}")
  public Response file(@PathParam("name") String name, @Context Request request) {
    String file = name.isEmpty() ? PageFiles.INDEX : name;
    byte[] content = PageFiles.read(file);
    if (content == null) {
      // Without its name, which a browser might take for markup.
      return Response.status(Response.Status.NOT_FOUND)
          .type("application/json")
          .entity("{\"error\":\"the page has no such file\"}")
          .build();
    }
    EntityTag tag = new EntityTag(hash(content));
    Response.ResponseBuilder unchanged = request.evaluatePreconditions(tag);
    return (unchanged != null ? unchanged : Response.ok(content, PageFiles.type(file)))
        .tag(tag)
        .header("Cache-Control", PageFiles.isNamedByHash(file) ? FOR_A_YEAR : "no-cache")
        .header("Content-Security-Policy", POLICY)
        .header("X-Content-Type-Options", "nosniff")
        .header("Referrer-Policy", "no-referrer")
        .build();
  }

  private static String hash(byte[] content) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(digest).substring(0, 22);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
