package org.evenweave.app.gui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.app.rest.RestClient;
import org.evenweave.app.rest.RestRequest;
import org.evenweave.app.rest.RestResponse;
import org.junit.jupiter.api.Test;

class ResponseCacheTest {
  /** Responds with its bodies, with the version as entity tag. */
  private static final class Resource implements RestClient {
    final Map<String, String> bodies = new HashMap<>();
    final List<Integer> statuses = new ArrayList<>();
    int version;

    @Override
    public RestResponse send(RestRequest request) {
      RestResponse response = respond(request);
      statuses.add(response.status());
      return response;
    }

    private RestResponse respond(RestRequest request) {
      String body = bodies.get(request.path());
      if (body == null) {
        return RestResponse.error(503, "no instance leads");
      }
      Map<String, String> headers = Map.of("ETag", "\"" + version + "\"");
      return headers.get("ETag").equals(request.headers().get("If-None-Match"))
          ? new RestResponse(304, headers, new byte[0])
          : new RestResponse(200, headers, body.getBytes(StandardCharsets.UTF_8));
    }
  }

  private final Resource resource = new Resource();
  private final ResponseCache responses = new ResponseCache(resource);

  @Test
  void whatHasNotChangedIsNotSentAgain() throws Exception {
    resource.bodies.put("status", "{\"a\":1}");
    assertEquals(1, responses.get("status").get("a").asInt());
    assertEquals(1, responses.get("status").get("a").asInt());
    resource.bodies.put("status", "{\"a\":2}");
    resource.version++;
    assertEquals(2, responses.get("status").get("a").asInt());
    responses.forget();
    assertEquals(2, responses.get("status").get("a").asInt());
    assertEquals(List.of(200, 304, 200, 200), resource.statuses);
  }

  @Test
  void allPagesAreRead() throws Exception {
    resource.bodies.put("groups?limit=10000&offset=0", "{\"groups\":[1,2],\"next\":2}");
    resource.bodies.put("groups?limit=10000&offset=2", "{\"groups\":[3]}");
    List<Integer> rows = new ArrayList<>();
    for (JsonNode row : responses.rows("groups", "groups")) {
      rows.add(row.asInt());
    }
    assertEquals(List.of(1, 2, 3), rows);
  }

  @Test
  void anErrorIsSaidInTheResourcesWords() {
    assertEquals(
        "no instance leads",
        assertThrows(ResponseCache.ErrorResponseException.class, () -> responses.get("status"))
            .getMessage());
  }
}
