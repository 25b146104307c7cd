package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.annotation.Annotation;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerResponseContext;
import javax.ws.rs.container.ContainerResponseFilter;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response.Status;
import org.evenweave.schema.OpenApiDocument;

/**
 * Answers 405 to a method that a path of the description does not have, also where this runtime
 * does not serve the path and JAX-RS would answer 404.
 */
final class UndeclaredMethods implements ContainerResponseFilter {
  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (response.getStatus() != Status.NOT_FOUND.getStatusCode()) {
      return;
    }
    Set<String> allowed = Described.methods(request.getUriInfo().getPath());
    if (!allowed.isEmpty() && !allowed.contains(request.getMethod())) {
      response.setStatusInfo(Status.METHOD_NOT_ALLOWED);
      response.getHeaders().putSingle(HttpHeaders.ALLOW, String.join(",", allowed));
      String problem = "the methods here are " + String.join(", ", allowed);
      response.setEntity(
          JsonErrors.body(problem), new Annotation[0], MediaType.APPLICATION_JSON_TYPE);
    }
  }

  /** Read for the first path that is not found, so that no start waits for it. */
  private static final class Described {
    private static final Map<Pattern, Set<String>> METHODS = new LinkedHashMap<>();

    static {
      JsonNode paths = OpenApiDocument.read().get("paths");
      // A path without parameters is not one of a path with some.
      for (boolean hasParameters : new boolean[] {false, true}) {
        paths
            .fields()
            .forEachRemaining(
                path -> {
                  if (path.getKey().contains("{") == hasParameters) {
                    METHODS.put(pattern(path.getKey()), declared(path.getValue()));
                  }
                });
      }
    }

    private static Pattern pattern(String path) {
      // A parameter at the end may be the end of a link, which has a slash.
      String whole = path.substring(1).replaceFirst("\\{[^}]*}$", ".+");
      return Pattern.compile(whole.replaceAll("\\{[^}]*}", "[^/]+"));
    }

    private static Set<String> declared(JsonNode operations) {
      Set<String> methods = new TreeSet<>(Set.of("OPTIONS"));
      operations.fieldNames().forEachRemaining(m -> methods.add(m.toUpperCase(Locale.ROOT)));
      if (methods.contains("GET")) {
        methods.add("HEAD");
      }
      return methods;
    }

    /** None for a path that is not described. */
    static Set<String> methods(String path) {
      return METHODS.entrySet().stream()
          .filter(described -> described.getKey().matcher(path).matches())
          .map(Map.Entry::getValue)
          .findFirst()
          .orElse(Set.of());
    }
  }
}
