package org.evenweave.app.gui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.app.rest.Answer;
import org.evenweave.app.rest.Question;
import org.evenweave.app.rest.Questions;
import org.junit.jupiter.api.Test;

class LatestAnswersTest {
  /** Answers with what it has, tagged by its version. */
  private static final class Resource implements Questions {
    final Map<String, String> bodies = new HashMap<>();
    final List<Integer> statuses = new ArrayList<>();
    int version;

    @Override
    public Answer ask(Question question) {
      Answer answer = answer(question);
      statuses.add(answer.status());
      return answer;
    }

    private Answer answer(Question question) {
      String body = bodies.get(question.path());
      if (body == null) {
        return Answer.error(503, "no instance leads");
      }
      Map<String, String> headers = Map.of("ETag", "\"" + version + "\"");
      return headers.get("ETag").equals(question.headers().get("If-None-Match"))
          ? new Answer(304, headers, new byte[0])
          : new Answer(200, headers, body.getBytes(StandardCharsets.UTF_8));
    }
  }

  private final Resource resource = new Resource();
  private final LatestAnswers answers = new LatestAnswers(resource);

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
        assertThrows(LatestAnswers.NoAnswerException.class, () -> answers.get("status"))
            .getMessage());
  }
}
