package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.evenweave.schema.InputSchema;

/** Runs the tools in the way that the command does, on text. */
final class Tools {
  static final Map<String, OfflineTool> BY_NAME =
      Map.<String, OfflineTool>of(
          "weights", new WeightsTool(),
          "reduce", new ReduceTool(),
          "fit", new FitTool(),
          "stripe", new StripeTool(),
          "plan", new PlanTool(),
          "verify", new VerifyTool(),
          "schedule", new ScheduleTool());

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Map<String, InputSchema> SCHEMAS = new HashMap<>();

  private Tools() {}

  /** Everything that a tool writes when it reads this. */
  static byte[] run(String tool, byte[] input) {
    return run(tool, BY_NAME.get(tool).plainAnswer(), input);
  }

  /** The same with another way to answer plain lines. */
  static byte[] run(String tool, PlainResult plain, byte[] input) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      new ResultStream(() -> schemaOf(tool), BY_NAME.get(tool)::answer, plain, out)
          .answerAll(new ByteArrayInputStream(input));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static InputSchema schemaOf(String tool) {
    return SCHEMAS.computeIfAbsent(tool, InputSchema::named);
  }

  /** The answer to one line. */
  static String answer(String tool, String line) {
    String out = new String(run(tool, bytes(line + "\n")), StandardCharsets.UTF_8);
    if (!out.endsWith("\n") || out.indexOf('\n') != out.length() - 1) {
      throw new AssertionError("not one line: " + out);
    }
    return out.substring(0, out.length() - 1);
  }

  /** What a tool says is wrong with a line. */
  static String error(String tool, String line) {
    return json(answer(tool, line)).path("error").asText("no error");
  }

  /** The examples in the tool's schema, as lines. */
  static List<String> examples(String tool) {
    List<String> lines = new ArrayList<>();
    schema(tool).get("examples").forEach(example -> lines.add(example.toString()));
    return lines;
  }

  /** The fields of a tool's input; a fabric's too where it may stand alone. */
  static Set<String> fields(String tool) {
    Set<String> fields = new HashSet<>();
    schema(tool)
        .findValues("properties")
        .forEach(p -> p.fieldNames().forEachRemaining(fields::add));
    if (tool.equals("plan")) {
      schema("fabric").get("properties").fieldNames().forEachRemaining(fields::add);
    }
    return fields;
  }

  /** The names of all published schemas. */
  static List<String> schemas() {
    try (Stream<Path> files = Files.list(Path.of("../../docs/schema"))) {
      return files
          .map(file -> file.getFileName().toString().replace(".json", ""))
          .sorted()
          .collect(Collectors.toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Those of what is handed in as a whole, and not as a part of something else. */
  static List<String> schemasWithExamples() {
    return schemas().stream()
        .filter(name -> schema(name).has("examples"))
        .collect(Collectors.toList());
  }

  /** The published schema of this name. */
  static JsonNode schema(String name) {
    try (InputStream schema = InputSchema.class.getResourceAsStream(name + ".json")) {
      return MAPPER.readTree(schema);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(text, e);
    }
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
