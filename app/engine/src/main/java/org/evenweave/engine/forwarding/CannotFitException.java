package org.evenweave.engine.forwarding;

import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricException;

/** The groups a switch needs do not fit its multipath table, or a group of any table. */
public final class CannotFitException extends RuntimeException {
  private static final String TABLE = ".table";

  private final String switchId;
  private final String field;

  /**
   * @param field of the switch that is to blame, as in {@code .table}; empty if none is
   */
  private CannotFitException(String switchId, String field, String problem) {
    super(switchId + ": " + problem);
    this.switchId = switchId;
    this.field = field;
  }

  static CannotFitException tableTooSmall(
      String switchId, int groups, long leastEntries, int tableEntries) {
    return new CannotFitException(
        switchId,
        TABLE,
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
        "",
        "its traffic to a switch would spread over "
            + ports
            + " ports, and a group has at most "
            + maxPorts
            + ", whatever the table");
  }

  static CannotFitException tooManyRules(String switchId, long leastRules, long maxRules) {
    return new CannotFitException(
        switchId,
        "",
        "its large tables need at least "
            + leastRules
            + " rules, and may have "
            + maxRules
            + " together");
  }

  static CannotFitException groupTooSmall(String switchId, long leastEntries, int groupEntries) {
    return new CannotFitException(
        switchId,
        ".limits.groupEntries",
        "a group needs at least " + leastEntries + " entries, and may have " + groupEntries);
  }

  static CannotFitException totalWeightTooSmall(String switchId, long ports, int maxTotalWeight) {
    return new CannotFitException(
        switchId,
        ".limits.maxTotalWeight",
        "a group has " + ports + " ports, and its weights may be " + maxTotalWeight + " together");
  }

  /**
   * @param wanted sets of next hops and weights
   * @param alone sets that no group can serve too
   * @param enough groups with which all would have one
   */
  static CannotFitException tooManyGroups(
      String switchId, int wanted, int mostGroups, int alone, int enough) {
    return new CannotFitException(
        switchId,
        ".limits.groups",
        "its "
            + wanted
            + " sets of next hops and weights share "
            + mostGroups
            + (mostGroups == 1 ? " group" : " groups")
            + ", the most that it can have, and "
            + alone
            + " of them would have one next hop alone; "
            + enough
            + (enough == 1 ? " group is enough for all" : " groups are enough for all"));
  }

  static CannotFitException noGroupsForPairs(String switchId, int wanted, int mostGroups) {
    return new CannotFitException(
        switchId,
        ".limits.groups",
        "pairs need " + wanted + " groups with all others, and it can have " + mostGroups);
  }

  static CannotFitException tooManyPairRules(String switchId, long rules, long maxRules) {
    return new CannotFitException(
        switchId, "", "pairs of prefixes need " + rules + " rules, and may have " + maxRules);
  }

  /** The same as an error in the description of the fabric, at the field that is to blame. */
  public FabricException in(Fabric fabric) {
    String at = "switches[" + fabric.indexOf(switchId) + "]";
    return field.isEmpty()
        ? new FabricException(at, getMessage())
        : new FabricException(
            at + field, getMessage() + "; raise it, or omit it if there is no limit");
  }
}
