package org.evenweave.schema;

import com.fasterxml.jackson.databind.JsonNode;

/** What a compiled schema, or one keyword of it, demands of a value. */
interface Check {
  /** The first violation, or null if the value is valid. */
  Violation violation(JsonNode value);
}
