package org.evenweave.sdd.session;

/** A request failed: the host refused it, or is not connected. */
public final class RequestException extends Exception {
  /**
   * @param what the host and why it did not
   */
  RequestException(String what) {
    super(what);
  }
}
