package org.evenweave.engine.config;

import com.fasterxml.jackson.databind.JsonNode;
import org.evenweave.wcmp.fabric.LeaveOut;

/**
 * Reads {@code "leaveOut": "auto" | "never"} and {@code "minNextHops": n} from a fabric, a switch
 * or a tool's input that is valid by its schema.
 */
public final class LeaveOutReader {
  static final String LEAVE_OUT = "leaveOut";
  static final String MIN_NEXT_HOPS = "minNextHops";

  private LeaveOutReader() {}

  /**
   * @param node with both fields, one or none; {@code minNextHops} alone does not turn it on
   * @param ifLeftOut holds where {@code leaveOut} is not given
   */
  public static LeaveOut read(JsonNode node, LeaveOut ifLeftOut) {
    String name = node.path(LEAVE_OUT).asText(ifLeftOut.configName());
    int minNextHops =
        ifLeftOut.equals(LeaveOut.NEVER) ? LeaveOut.DEFAULT_MIN_NEXT_HOPS : ifLeftOut.minNextHops();
    return LeaveOut.named(name, node.path(MIN_NEXT_HOPS).asInt(minNextHops));
  }

  /** Whether a value has one of the fields. */
  static boolean isIn(JsonNode node) {
    return node.has(LEAVE_OUT) || node.has(MIN_NEXT_HOPS);
  }
}
