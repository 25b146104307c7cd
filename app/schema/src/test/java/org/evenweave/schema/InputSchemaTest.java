package org.evenweave.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InputSchemaTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static String violation(String schema, String value) throws JsonProcessingException {
    return InputSchema.named(schema)
        .violation(JSON.readTree(value))
        .map(violation -> violation.path("input") + ": " + violation.problem())
        .orElse("none");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[1, 10] | none",
        "7 | input: must be an array of at most 2 numbers, not 7",
        "{} | input: must be an array of at most 2 numbers",
        "[1, 2, 3] | input: must be an array of at most 2 numbers, not [1,2,3]",
        "[1, 10.5] | [1]: must be a number of at most 10, not 10.5",
        "[11] | [0]: must be a number of at most 10, not 11",
        "[100000000000000000000] | [0]: must be a number of at most 10, not 100000000000000000000",
        "[1e999] | [0]: must be a number of at most 10, not \"Infinity\"",
        "[-1e999, -100000000000000000000] | none",
        "[\"1\"] | [0]: must be a number of at most 10, not \"1\"",
      })
  void theFirstViolationHasItsPlaceAndTheValue(String value, String expected) throws Exception {
    assertEquals(expected, violation("test-numbers", value));
  }

  @Test
  void aLongValueIsNotRepeated() throws Exception {
    String zeros = "0,".repeat(1000) + "0";
    assertEquals(
        "input: must be an array of at most 2 numbers, not 1001",
        violation("test-numbers", "[" + zeros + "]"));
    assertEquals(
        "[0]: must be a number of at most 10",
        violation("test-numbers", "[\"" + "x".repeat(1000) + "\"]"));
  }

  @Test
  void aFieldIsNamedWithItsPathOrWithTheFieldsThereAre() throws Exception {
    String fabric = "{\"switches\": [{\"id\": \"a\", \"stage\": 0}], \"links\": []}";
    assertEquals(
        "switches[0].stage: must be a whole number from 1 to 2147483647, not 0",
        violation("fabric", fabric));
    assertEquals("links: is missing", violation("fabric", "{\"switches\": []}"));
    assertEquals(
        "wires: unknown field; the fields here are links, subnets, switches",
        violation("fabric", fabric.replace("links", "wires")));
  }

  @ParameterizedTest
  @CsvSource({"2, none", "2.0, none", "2e1, none", "2.5, refused", "1e999, refused"})
  void aWholeNumberIsOneInAnyNotation(String stage, String expected) throws Exception {
    String fabric = "{\"switches\":[{\"id\":\"a\",\"stage\":" + stage + "}],\"links\":[]}";
    String violation = violation("fabric", fabric);
    assertEquals(
        expected,
        violation.startsWith("switches[0].stage: must be a whole number") ? "refused" : violation);
  }

  @Test
  void whatAValidatorWouldIgnoreIsNoPublishedSchema() {
    assertEquals(
        "test-unknown-keyword.json: unknown keyword format",
        assertThrows(IllegalStateException.class, () -> InputSchema.named("test-unknown-keyword"))
            .getMessage());
    assertThrows(IllegalStateException.class, () -> InputSchema.named("test-open-pattern"));
    assertThrows(IllegalStateException.class, () -> InputSchema.named("test-dot-pattern"));
    assertThrows(IllegalArgumentException.class, () -> InputSchema.named("no-such-schema"));
  }
}
