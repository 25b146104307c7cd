package org.evenweave.engine.forwarding;

import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricException;

/** The groups a switch needs do not fit its multipath table, or a group of any table. */
public final class CannotFitException extends RuntimeException {
  private final String switchId;
  private final boolean tableTooSmall;

  private CannotFitException(String switchId, boolean tableTooSmall, String problem) {
    super(switchId + ": " + problem);
    this.switchId = switchId;
    this.tableTooSmall = tableTooSmall;
  }

  static CannotFitException tableTooSmall(
      String switchId, int groups, long leastEntries, int tableEntries) {
    return new CannotFitException(
        switchId,
        true,
        "its "
            + groups
            + (groups == 1 ? " group needs at least " : " groups need at least ")
            + leastEntries
            + " multipath table entries, and its table has "
            + tableEntries);
  }

  static CannotFitException tooManyPorts(String switchId, int ports, int maxPorts) {
    return new CannotFitException(
        switchId,
        false,
        "its traffic to a switch would spread over "
            + ports
            + " ports, and a group has at most "
            + maxPorts
            + ", whatever the table");
  }

  static CannotFitException tooManyRules(String switchId, long leastRules, long maxRules) {
    return new CannotFitException(
        switchId,
        false,
        "its large tables need at least "
            + leastRules
            + " rules, and may have "
            + maxRules
            + " together");
  }

  static CannotFitException tooManyPairRules(String switchId, long rules, long maxRules) {
    return new CannotFitException(
        switchId, false, "pairs of prefixes need " + rules + " rules, and may have " + maxRules);
  }

  /** The same as an error in the description of the fabric, at the field that is to blame. */
  public FabricException in(Fabric fabric) {
    String at = "switches[" + fabric.indexOf(switchId) + "]";
    return tableTooSmall
        ? new FabricException(
            at + ".table", getMessage() + "; raise it, or omit it if there is no limit")
        : new FabricException(at, getMessage());
  }
}
