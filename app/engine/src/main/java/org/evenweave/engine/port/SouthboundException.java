package org.evenweave.engine.port;

/** A switch refused an operation, was lost, or did not answer in time. */
public final class SouthboundException extends RuntimeException {
  private final String switchId;

  /**
   * @param switchId the switch concerned
   * @param problem what failed: the operation and the switch's own error, or the silence
   */
  public SouthboundException(String switchId, String problem) {
    super(switchId + ": " + problem);
    this.switchId = switchId;
  }

  public String switchId() {
    return switchId;
  }
}
