package org.evenweave.standalone.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonMetaSchema;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.NonValidationKeyword;
import com.networknt.schema.SchemaLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.evenweave.schema.InputSchema;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds the validator against a complete one: a published schema means to everybody what it means
 * here.
 */
class SchemaOracleTest {
  /** Takes the place of each part of each example. */
  private static final String[] REPLACEMENTS = {
    "null",
    "true",
    "0",
    "1",
    "-1",
    "1.5",
    "70000",
    "3000000000",
    "99999999999999999999",
    "\"\"",
    "\"x\"",
    "\"wcmp\"",
    "\"compare\"",
    "\"discovered\"",
    "\"s1-0/1\"",
    "\"s1-0/01\"",
    "\"10.0.0.0/24\"",
    "[]",
    "[1]",
    "[\"x\"]",
    "{}",
    "{\"x\":1}",
  };

  private static JsonSchema oracle(String name) {
    JsonMetaSchema standard = JsonMetaSchema.getV202012();
    JsonMetaSchema extended =
        JsonMetaSchema.builder(standard).keyword(new NonValidationKeyword("errorMessage")).build();
    return JsonSchemaFactory.builder()
        .defaultMetaSchemaIri(extended.getIri())
        .metaSchema(extended)
        .build()
        .getSchema(SchemaLocation.of("classpath:org/evenweave/schema/" + name + ".json"));
  }

  @ParameterizedTest
  @MethodSource("org.evenweave.standalone.tools.Tools#schemasWithExamples")
  void aMutatedExampleIsValidWhereTheOracleSaysSo(String name) {
    JsonSchema oracle = oracle(name);
    InputSchema schema = InputSchema.named(name);
    int[] valid = {0, 0};
    for (String example : Tools.examples(name)) {
      forEachMutant(
          Tools.json(example),
          mutant -> {
            boolean expected = oracle.validate(mutant).isEmpty();
            assertEquals(expected, schema.violation(mutant).isEmpty(), mutant::toString);
            valid[expected ? 1 : 0]++;
          });
    }
    assertTrue(valid[0] > 0 && valid[1] > 0, valid[0] + " invalid, " + valid[1] + " valid");
  }

  /** The value, and each way to change one part of it. */
  private static void forEachMutant(JsonNode value, Consumer<JsonNode> consumer) {
    consumer.accept(value);
    for (String replacement : REPLACEMENTS) {
      consumer.accept(Tools.json(replacement));
    }
    if (value.isObject()) {
      ObjectNode object = (ObjectNode) value;
      consumer.accept(object.deepCopy().put("colour", "red"));
      List<String> names = new ArrayList<>();
      object.fieldNames().forEachRemaining(names::add);
      for (String name : names) {
        consumer.accept(object.deepCopy().without(name));
        forEachMutant(
            object.get(name), mutant -> consumer.accept(object.deepCopy().set(name, mutant)));
      }
    } else if (value.isArray()) {
      // The elements of an array are alike.
      ArrayNode array = (ArrayNode) value;
      for (int i = 0; i < Math.min(array.size(), 2); i++) {
        int at = i;
        forEachMutant(
            array.get(i),
            mutant -> {
              ArrayNode copy = array.deepCopy();
              copy.set(at, mutant);
              consumer.accept(copy);
            });
      }
    }
  }
}
