package org.evenweave.app.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.ws.rs.HttpMethod;
import javax.ws.rs.Path;
import javax.ws.rs.QueryParam;
import org.evenweave.app.southbound.PendingChanges;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.rest.ReadOnlyRequests;
import org.evenweave.engine.rest.RestResources;
import org.evenweave.metrics.MetricsResource;
import org.evenweave.schema.OpenApiDocument;
import org.evenweave.sdd.rest.SddResources;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.junit.jupiter.api.Test;

class RestDocumentationTest {
  /**
   * Every method with its path and query parameters, as {@code get /groups limit offset switch}.
   */
  private static Set<String> served() {
    VirtualLoop loop = new VirtualLoop();
    FakeNetwork network = new FakeNetwork(new FabricBuilder().build(), loop, 1);
    Engine engine = new Engine(EngineConfig.empty(), network, network, loop);
    Set<Object> resources = new HashSet<>(RestResources.of(engine));
    resources.add(new PendingResource(new PendingChanges()));
    resources.add(new PurgeResource(null));
    resources.add(new TablesResource(engine, null));
    resources.add(new MetricsResource(List.of()));
    // Without a controller to ask, which none is here.
    resources.addAll(SddResources.of(null));
    Set<String> served = new TreeSet<>();
    for (Object resource : resources) {
      String path = resource.getClass().getAnnotation(Path.class).value();
      for (Method method : resource.getClass().getMethods()) {
        for (Annotation annotation : method.getAnnotations()) {
          HttpMethod http = annotation.annotationType().getAnnotation(HttpMethod.class);
          if (http != null) {
            served.add(
                http.value().toLowerCase(java.util.Locale.ROOT)
                    + " /"
                    + path
                    + below(method)
                    + query(method));
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

  private static String query(Method method) {
    Set<String> names = new TreeSet<>();
    for (Parameter parameter : method.getParameters()) {
      QueryParam query = parameter.getAnnotation(QueryParam.class);
      if (query != null) {
        names.add(query.value());
      }
    }
    return names.isEmpty() ? "" : " " + String.join(" ", names);
  }

  private static JsonNode documentedPaths() throws Exception {
    return new ObjectMapper()
        .readTree(RestDocumentation.class.getResourceAsStream("/apidoc/swagger.json"))
        .get("paths");
  }

  private static Set<String> documented() throws Exception {
    Set<String> documented = new TreeSet<>();
    documentedPaths()
        .fields()
        .forEachRemaining(
            path ->
                path.getValue()
                    .fields()
                    .forEachRemaining(
                        method ->
                            documented.add(method.getKey() + " " + path.getKey() + query(method))));
    return documented;
  }

  private static String query(Map.Entry<String, JsonNode> method) {
    Set<String> names = new TreeSet<>();
    for (JsonNode parameter : method.getValue().get("parameters")) {
      if (parameter.get("in").asText().equals("query")) {
        names.add(parameter.get("name").asText());
      }
    }
    return names.isEmpty() ? "" : " " + String.join(" ", names);
  }

  @Test
  void everyResourceIsDocumentedWithItsParametersAndNothingElseIs() throws Exception {
    assertEquals(String.join("\n", served()), String.join("\n", documented()));
  }

  @Test
  void whatAViewerMayNotSendIsDocumentedWithThatRefusal() throws Exception {
    JsonNode paths = documentedPaths();
    for (String operation : documented()) {
      String[] words = operation.split(" ", 3);
      boolean readOnly =
          ReadOnlyRequests.contain(
              words[0].toUpperCase(java.util.Locale.ROOT), words[1].substring(1));
      JsonNode answers = paths.get(words[1]).get(words[0]).get("responses");
      assertTrue(answers.has("401"), operation);
      assertEquals(!readOnly, answers.has("403"), operation);
    }
  }

  /** The description that both runtimes serve has what ONOS serves. */
  @Test
  void theOpenApiDocumentHasTheSameRoutes() {
    Set<String> documented = new TreeSet<>();
    JsonNode paths = OpenApiDocument.read().get("paths");
    paths
        .fields()
        .forEachRemaining(
            path ->
                path.getValue()
                    .fields()
                    .forEachRemaining(
                        method -> {
                          JsonNode runtimes = method.getValue().path("x-runtimes");
                          if (runtimes.isMissingNode() || runtimes.toString().contains("onos")) {
                            documented.add(method.getKey() + " " + path.getKey());
                          }
                        }));
    Set<String> servedPaths = new TreeSet<>();
    served().forEach(line -> servedPaths.add(line.replaceAll("^(\\S+ \\S+).*", "$1")));
    assertEquals(String.join("\n", servedPaths), String.join("\n", documented));
  }
}
