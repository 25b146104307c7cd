package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.JsonNode;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.realisation.SwitchTarget;

/** How the switch of {@code reduce} and {@code fit} holds a group: its target and limits. */
final class GroupLimits {
  private static final String LIMITS = "limits";

  private final boolean isNative;
  private final JsonNode limits;

  private GroupLimits(boolean isNative, JsonNode limits) {
    this.isNative = isNative;
    this.limits = limits;
  }

  /**
   * @param input valid by the schema
   * @throws BadInputException if limits of weights are given for another target
   */
  static GroupLimits of(JsonNode input) {
    String replicated = SwitchTarget.REPLICATED_ENTRIES.configName();
    boolean isNative =
        SwitchTarget.named(input.path("target").asText(replicated)) == SwitchTarget.NATIVE_WEIGHTS;
    JsonNode limits = input.path(LIMITS);
    for (Limits.Kind kind : Limits.Kind.values()) {
      if (kind.isOfWeights() && !isNative && limits.has(kind.fieldName())) {
        throw new BadInputException(path(kind), "is for the target native only");
      }
    }
    return new GroupLimits(isNative, limits);
  }

  /** Whether the switch has the weight of each port as a number. */
  boolean isNative() {
    return isNative;
  }

  /** Whether the input has limits of each group. */
  boolean isGiven() {
    return isNative || limits.size() > 0;
  }

  /** {@link Fabric#UNLIMITED} if it is not given. */
  int of(Limits.Kind kind) {
    return limits.path(kind.fieldName()).asInt(Fabric.UNLIMITED);
  }

  /**
   * Checks that the ports of a group that cannot be left out have room.
   *
   * @param where begins the message; empty, or the group and a space
   * @throws BadInputException if they have not
   */
  void requireRoom(String where, int ports) {
    requireRoom(where, ports, Limits.Kind.GROUP_ENTRIES, "an entry");
    requireRoom(where, ports, Limits.Kind.MAX_TOTAL_WEIGHT, "a weight of 1");
  }

  private void requireRoom(String where, int ports, Limits.Kind kind, String need) {
    if (ports > of(kind)) {
      throw new BadInputException(
          path(kind),
          of(kind)
              + " is too small: "
              + where
              + ports
              + " ports need "
              + need
              + " each; the least sufficient value is "
              + ports);
    }
  }

  private static String path(Limits.Kind kind) {
    return LIMITS + "." + kind.fieldName();
  }
}
