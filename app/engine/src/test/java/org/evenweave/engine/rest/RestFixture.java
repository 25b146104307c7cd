package org.evenweave.engine.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import javax.ws.rs.core.HttpHeaders;
import org.evenweave.engine.fake.ConvergedEngine;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.ResourceConfig;

/** The REST resources of an engine that has converged on a fake network. */
abstract class RestFixture extends ConvergedEngine {
  static final ObjectMapper JSON = new ObjectMapper();
  private final ApplicationHandler rest =
      new ApplicationHandler(
          new ResourceConfig()
              .registerInstances(RestResources.of(engine))
              .registerInstances(RestResources.providers()));

  /** As a server would: by method, path, headers and body. */
  ContainerResponse send(String method, String path, String etag, String body) {
    URI root = URI.create("http://localhost/");
    ContainerRequest request =
        new ContainerRequest(
            root,
            root.resolve(path),
            method,
            null,
            new MapPropertiesDelegate(),
            rest.getConfiguration());
    if (etag != null) {
      request.header(HttpHeaders.IF_NONE_MATCH, etag);
    }
    request.header(HttpHeaders.CONTENT_TYPE, "application/json");
    request.setEntityStream(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    try {
      return rest.apply(request, new ByteArrayOutputStream()).get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(method + " " + path, e);
    }
  }

  JsonNode get(String path) throws IOException {
    ContainerResponse response = send("GET", path, null, "");
    assertEquals(200, response.getStatus(), path);
    return JSON.readTree((String) response.getEntity());
  }

  /** The answer to a request that blocks until the loop has done its part. */
  JsonNode whileTheLoopRuns(String method, String path) throws Exception {
    CompletableFuture<ContainerResponse> answer = loop.start(() -> send(method, path, null, ""));
    loop.runFor(SECOND_NANOS);
    assertEquals(200, answer.get().getStatus(), path);
    return JSON.readTree((String) answer.get().getEntity());
  }

  /** Configures one link's capacity and one switch's limits. */
  void configure(String port, double factor, String switchId, String limits) throws IOException {
    ObjectNode configuration = (ObjectNode) get("configuration");
    for (JsonNode link : configuration.get("links")) {
      if (port.equals(link.get("a").asText())) {
        ((ObjectNode) link).put("bps", (long) (factor * link.get("bps").asLong()));
      }
    }
    for (JsonNode node : configuration.get("switches")) {
      if (switchId.equals(node.get("id").asText())) {
        ((ObjectNode) node).set("limits", JSON.readTree(limits));
      }
    }
    String body = configuration.toString();
    assertEquals(200, send("PUT", "configuration", null, body).getStatus());
    loop.runFor(SECOND_NANOS);
    assertTrue(get("status").get("converged").asBoolean(), get("status").toString());
  }
}
