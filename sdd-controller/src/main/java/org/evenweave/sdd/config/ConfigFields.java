package org.evenweave.sdd.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * Reads the fields of one JSON object, each with its range; a field that is not read is an error.
 */
final class ConfigFields {
  private final JsonNode object;
  private final String prefix;
  private final Set<String> read = new HashSet<>();

  ConfigFields(JsonNode object, String path) throws SddConfigException {
    if (!object.isObject()) {
      throw new SddConfigException(path.isEmpty() ? "configuration" : path, "is no JSON object");
    }
    this.object = object;
    this.prefix = path.isEmpty() ? "" : path + ".";
  }

  SddConfigException error(String field, String what) {
    return new SddConfigException(prefix + field, what);
  }

  boolean has(String field) {
    read.add(field);
    return object.has(field);
  }

  long number(String field, long least, long most, long otherwise) throws SddConfigException {
    if (!has(field)) {
      return otherwise;
    }
    JsonNode value = object.get(field);
    if (!value.isIntegralNumber()
        || !value.canConvertToLong()
        || value.longValue() < least
        || value.longValue() > most) {
      throw error(field, "must be a whole number from " + least + " to " + most);
    }
    return value.longValue();
  }

  String text(String field, String otherwise) throws SddConfigException {
    if (!has(field)) {
      return otherwise;
    }
    if (!object.get(field).isTextual()) {
      throw error(field, "must be a string");
    }
    return object.get(field).textValue();
  }

  String oneOf(String field, String otherwise, List<String> values) throws SddConfigException {
    String value = text(field, otherwise);
    if (!values.contains(value)) {
      throw error(field, "must be " + String.join(", ", values) + ", not \"" + value + "\"");
    }
    return value;
  }

  List<String> texts(String field) throws SddConfigException {
    List<String> texts = new ArrayList<>();
    for (JsonNode element : array(field)) {
      if (!element.isTextual()) {
        throw error(field + "[" + texts.size() + "]", "must be a string");
      }
      texts.add(element.textValue());
    }
    return texts;
  }

  /** An object that is there. */
  ConfigFields object(String field) throws SddConfigException {
    read.add(field);
    return new ConfigFields(object.get(field), prefix + field);
  }

  List<ConfigFields> objects(String field) throws SddConfigException {
    List<ConfigFields> objects = new ArrayList<>();
    for (JsonNode element : array(field)) {
      objects.add(new ConfigFields(element, prefix + field + "[" + objects.size() + "]"));
    }
    return objects;
  }

  private Iterable<JsonNode> array(String field) throws SddConfigException {
    if (!has(field)) {
      return List.of();
    }
    if (!object.get(field).isArray()) {
      throw error(field, "must be a list");
    }
    return object.get(field);
  }

  void noOthers() throws SddConfigException {
    for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!read.contains(name)) {
        throw error(name, "is no field");
      }
    }
  }
}
