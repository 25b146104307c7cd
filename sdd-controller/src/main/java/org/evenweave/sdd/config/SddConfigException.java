package org.evenweave.sdd.config;

/** A configuration is invalid; the message names the field and the reason. */
public class SddConfigException extends Exception {
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

  /** The value is not valid by its schema. */
  public static final class FormException extends SddConfigException {
    private static final long serialVersionUID = 1;

    FormException(String path, String reason) {
      super(path, reason);
    }
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
