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
  /** Answers with what it has, tagged by its version. */
  private static final class Resource implements RestClient {
    final Map<String, String> bodies = new HashMap<>();
    final List<Integer> statuses = new ArrayList<>();
    int version;

    @Override
    public RestResponse ask(RestRequest question) {
      RestResponse answer = answer(question);
      statuses.add(answer.status());
      return answer;
    }

    private RestResponse answer(RestRequest question) {
      String body = bodies.get(question.path());
      if (body == null) {
        return RestResponse.error(503, "no instance leads");
      }
      Map<String, String> headers = Map.of("ETag", "\"" + version + "\"");
      return headers.get("ETag").equals(question.headers().get("If-None-Match"))
          ? new RestResponse(304, headers, new byte[0])
          : new RestResponse(200, headers, body.getBytes(StandardCharsets.UTF_8));
    }
  }

  private final Resource resource = new Resource();
  private final ResponseCache answers = new ResponseCache(resource);

  @Test
  void whatHasNotChangedIsNotSentAgain() throws Exception {
    resource.bodies.put("status", "{\"a\":1}");
    assertEquals(1, answers.get("status").get("a").asInt());
    assertEquals(1, answers.get("status").get("a").asInt());
    resource.bodies.put("status", "{\"a\":2}");
    resource.version++;
    assertEquals(2, answers.get("status").get("a").asInt());
    answers.forget();
    assertEquals(2, answers.get("status").get("a").asInt());
    assertEquals(List.of(200, 304, 200, 200), resource.statuses);
  }

  @Test
  void allPagesAreRead() throws Exception {
    resource.bodies.put("groups?limit=10000&offset=0", "{\"groups\":[1,2],\"next\":2}");
    resource.bodies.put("groups?limit=10000&offset=2", "{\"groups\":[3]}");
    List<Integer> rows = new ArrayList<>();
    for (JsonNode row : answers.rows("groups", "groups")) {
      rows.add(row.asInt());
    }
    assertEquals(List.of(1, 2, 3), rows);
  }

  @Test
  void anErrorIsSaidInTheResourcesWords() {
    assertEquals(
        "no instance leads",
        assertThrows(ResponseCache.NoAnswerException.class, () -> answers.get("status"))
            .getMessage());
  }
}
