package org.evenweave.sdd.config;

/** A configuration is invalid; the message names the field and the reason. */
public final class SddConfigException extends Exception {
  private final String path;
  private final String reason;

  /**
   * @param path such as {@code packetFlows[1].sourcePort}
   */
  SddConfigException(String path, String reason) {
    super(path + ": " + reason);
    this.path = path;
    this.reason = reason;
  }

  /** Which field, such as {@code packetFlows[1].sourcePort}. */
  public String path() {
    return path;
  }

  /** Why it is invalid. */
  public String reason() {
    return reason;
  }
}
