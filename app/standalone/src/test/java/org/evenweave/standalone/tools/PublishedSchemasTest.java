package org.evenweave.standalone.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaId;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublishedSchemasTest {
  @ParameterizedTest
  @MethodSource("org.evenweave.standalone.tools.Tools#schemas")
  void isAJsonSchemaThatSaysWhatIsWrong(String name) {
    JsonSchema metaschema =
        JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
            .getSchema(SchemaLocation.of(SchemaId.V202012));
    JsonNode schema = Tools.schema(name);
    assertEquals(SchemaId.V202012, schema.get("$schema").asText());
    assertEquals(Set.of(), metaschema.validate(schema));
    assertSaysWhatIsWrong(name, schema);
  }

  /** Whatever can be refused has a message of ours, not the validator's. */
  private static void assertSaysWhatIsWrong(String path, JsonNode schema) {
    if (schema.isObject()) {
      boolean refuses = schema.path("type").isTextual() || schema.has("enum") || schema.has("not");
      assertEquals(refuses, schema.has("errorMessage"), path);
      if (schema.has("properties") && schema.path("type").isTextual()) {
        assertFalse(schema.path("additionalProperties").asBoolean(true), path);
      }
    }
    schema
        .properties()
        .forEach(
            field -> {
              // A condition refuses nothing.
              if (!field.getKey().equals("examples") && !field.getKey().equals("if")) {
                assertSaysWhatIsWrong(path + "/" + field.getKey(), field.getValue());
              }
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"weights", "reduce", "fit", "stripe", "plan", "verify", "schedule"})
  void itsExamplesAreAnswered(String tool) {
    assertFalse(Tools.examples(tool).isEmpty());
    for (String example : Tools.examples(tool)) {
      String answer = Tools.answer(tool, example);
      assertFalse(Tools.json(answer).has("error"), answer);
      assertTrue(Tools.json(answer).size() > 0, answer);
    }
  }
}
