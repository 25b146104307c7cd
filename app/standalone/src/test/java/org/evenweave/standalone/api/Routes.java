package org.evenweave.standalone.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import javax.ws.rs.HttpMethod;
import javax.ws.rs.Path;
import javax.ws.rs.QueryParam;

/** Methods with their paths and query parameters, as {@code get /groups limit offset switch}. */
final class Routes {
  private Routes() {}

  /** What resources serve. */
  static Set<String> servedBy(Collection<Class<?>> resources) {
    Set<String> served = new TreeSet<>();
    for (Class<?> resource : resources) {
      String path = "/" + resource.getAnnotation(Path.class).value();
      for (Method method : resource.getMethods()) {
        for (Annotation annotation : method.getAnnotations()) {
          HttpMethod http = annotation.annotationType().getAnnotation(HttpMethod.class);
          if (http != null) {
            served.add(line(http.value(), path + below(method), query(method)));
          }
        }
      }
    }
    return served;
  }

  /** The method's own path, with {@code {name: pattern}} as {@code {name}}. */
  private static String below(Method method) {
    Path path = method.getAnnotation(Path.class);
    return path == null ? "" : "/" + path.value().replaceAll(":[^}]*", "");
  }

  private static Set<String> query(Method method) {
    Set<String> names = new TreeSet<>();
    for (Parameter parameter : method.getParameters()) {
      QueryParam query = parameter.getAnnotation(QueryParam.class);
      if (query != null) {
        names.add(query.value());
      }
    }
    return names;
  }

  private static String line(String method, String path, Set<String> query) {
    String names = query.isEmpty() ? "" : " " + String.join(" ", query);
    return method.toLowerCase(Locale.ROOT) + " " + path + names;
  }

  /** What an OpenAPI document has, of the operations that are chosen. */
  static Set<String> documentedIn(JsonNode document, Predicate<JsonNode> operations) {
    Set<String> documented = new TreeSet<>();
    for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
      for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
        if (operations.test(method.getValue())) {
          Set<String> names = new TreeSet<>();
          for (JsonNode parameter : method.getValue().path("parameters")) {
            if (parameter.get("in").asText().equals("query")) {
              names.add(parameter.get("name").asText());
            }
          }
          documented.add(line(method.getKey(), path.getKey(), names));
        }
      }
    }
    return documented;
  }
}
