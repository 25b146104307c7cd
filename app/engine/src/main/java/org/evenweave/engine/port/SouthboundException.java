package org.evenweave.engine.port;

import java.util.Arrays;

/** A switch refused an operation, was lost, or did not answer in time. */
public final class SouthboundException extends RuntimeException {
  /** What a switch had no room for, by OpenFlow's names of the error codes. */
  public enum Reason {
    /** OFPGMFC_OUT_OF_GROUPS: the group table is full. */
    OUT_OF_GROUPS,
    /** OFPGMFC_OUT_OF_BUCKETS: no room for the entries of a group. */
    OUT_OF_BUCKETS,
    /** OFPFMFC_TABLE_FULL: the flow table is full. */
    TABLE_FULL,
    /** Any other reason, or silence. */
    OTHER
  }

  private final String switchId;
  private final Reason reason;

  /**
   * @param switchId the switch concerned
   * @param problem what failed: the operation and OpenFlow's name of the switch's error, or the
   *     silence
   */
  public SouthboundException(String switchId, String problem) {
    super(switchId + ": " + problem);
    this.switchId = switchId;
    // The problem is text on its way between instances of ONOS, so the name of the code is all.
    reason =
        Arrays.stream(Reason.values())
            .filter(each -> problem.contains(each.name()))
            .findFirst()
            .orElse(Reason.OTHER);
  }

  public String switchId() {
    return switchId;
  }

  public Reason reason() {
    return reason;
  }
}
