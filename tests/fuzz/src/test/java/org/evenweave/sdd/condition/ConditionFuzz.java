package org.evenweave.sdd.condition;

import java.nio.charset.StandardCharsets;

/** Conditions of triggers and queues. */
public final class ConditionFuzz {
  private ConditionFuzz() {}

  /** For Jazzer. */
  public static void fuzzerTestOneInput(byte[] text) {
    try {
      Condition condition =
          Condition.parse(
              new String(text, StandardCharsets.UTF_8),
              name -> name.startsWith("h") ? null : "is no queue");
      condition.text(name -> 1);
    } catch (ConditionException e) {
      // Refused with a reason.
    }
  }
}
