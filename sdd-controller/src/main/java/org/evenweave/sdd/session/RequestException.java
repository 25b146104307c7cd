package org.evenweave.sdd.session;

/** A host did not do what it was asked for: it refused, or it cannot be reached. */
public final class RequestException extends Exception {
  /**
   * @param what the host and why it did not
   */
  RequestException(String what) {
    super(what);
  }
}
