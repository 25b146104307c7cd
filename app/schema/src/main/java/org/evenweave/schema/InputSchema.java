package org.evenweave.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One of the published JSON schemas of {@code docs/schema}, which are on the class path. An input
 * is checked by its schema before anything else reads it.
 *
 * <p>The problems that it names are in the schema itself: {@code errorMessage} beside the keyword
 * that failed, a convention known from other validators. Only the keywords of {@link Keywords} may
 * be used; docs/decisions/0010 says why this is no library.
 *
 * <p>Checking takes time in proportion to the value's size. Safe for many threads.
 */
public final class InputSchema {
  private static final ConcurrentHashMap<String, InputSchema> SCHEMAS = new ConcurrentHashMap<>();

  private final Check root;

  private InputSchema(Check root) {
    this.root = root;
  }

  /**
   * The schema in {@code docs/schema/NAME.json}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static InputSchema named(String name) {
    return SCHEMAS.computeIfAbsent(
        name, key -> new InputSchema(new SchemaCompiler().compile(key + ".json")));
  }

  /** The first violation that is found in a value; none if it is valid. */
  public Optional<Violation> violation(JsonNode value) {
    return Optional.ofNullable(root.violation(value));
  }
}
