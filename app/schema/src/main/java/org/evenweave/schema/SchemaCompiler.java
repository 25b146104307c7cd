package org.evenweave.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compiles published schemas to {@link Check}s. References are followed here, once, so that no
 * schema may refer to itself.
 */
final class SchemaCompiler {
  /** What demands nothing of a value by itself. */
  private static final Set<String> ANNOTATIONS =
      Set.of(
          "$schema", "$defs", "title", "description", "examples", "errorMessage", "then", "else");

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Map<String, JsonNode> documents = new HashMap<>();
  private final Map<String, Check> compiled = new HashMap<>();

  /**
   * @param reference a file of {@code docs/schema}, with or without a JSON Pointer (RFC 6901) into
   *     it: {@code common.json#/$defs/switchId}
   */
  Check compile(String reference) {
    Check check = compiled.get(reference);
    if (check == null) {
      int hash = reference.indexOf('#');
      String file = hash < 0 ? reference : reference.substring(0, hash);
      JsonNode schema = document(file).at(hash < 0 ? "" : reference.substring(hash + 1));
      check = new Scope(file).inner(schema);
      compiled.put(reference, check);
    }
    return check;
  }

  private JsonNode document(String file) {
    return documents.computeIfAbsent(
        file,
        name -> {
          try (InputStream in = SchemaCompiler.class.getResourceAsStream(name)) {
            if (in == null) {
              throw new IllegalArgumentException("no schema " + name);
            }
            return MAPPER.readTree(in);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** The file that a schema is in. */
  final class Scope {
    private final String file;

    private Scope(String file) {
      this.file = file;
    }

    /** What a {@code $ref} in this file refers to. */
    Check referred(String reference) {
      return compile(URI.create(file).resolve(reference).toString());
    }

    /** A schema in this file. */
    Check inner(JsonNode schema) {
      requireKnownKeywords(schema);
      List<Check> checks = new ArrayList<>();
      Keywords.FACTORIES.forEach(
          (keyword, factory) -> {
            if (schema.has(keyword)) {
              checks.add(factory.check(schema, this));
            }
          });
      Check[] all = checks.toArray(new Check[0]);
      return value -> {
        for (Check check : all) {
          Violation violation = check.violation(value);
          if (violation != null) {
            return violation;
          }
        }
        return null;
      };
    }

    /** A keyword that is not known would silently demand nothing. */
    private void requireKnownKeywords(JsonNode schema) {
      if (!schema.isObject()) {
        throw new IllegalStateException(file + ": a schema must be an object, not " + schema);
      }
      schema
          .fieldNames()
          .forEachRemaining(
              name -> {
                if (!Keywords.FACTORIES.containsKey(name) && !ANNOTATIONS.contains(name)) {
                  throw new IllegalStateException(file + ": unknown keyword " + name);
                }
              });
    }
  }
}
