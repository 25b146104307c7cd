package org.evenweave.sdd.config;

/** A configuration cannot be meant; says which field and why. */
public final class SddConfigException extends Exception {
  /**
   * @param path such as {@code packetFlows[1].sourcePort}
   */
  SddConfigException(String path, String what) {
    super(path + ": " + what);
  }
}
