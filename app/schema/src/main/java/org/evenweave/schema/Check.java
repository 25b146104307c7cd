package org.evenweave.schema;

import com.fasterxml.jackson.databind.JsonNode;

/** A check of a value: a compiled schema, or one of its keywords. */
interface Check {
  /** The first violation, or null if the value is valid. */
  Violation violation(JsonNode value);
}
