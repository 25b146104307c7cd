package org.evenweave.sdd.session;

import java.util.concurrent.CompletionException;
import org.evenweave.sdd.protocol.wire.Status;

/** A request failed: the host refused it, or is not connected. */
public final class RequestException extends Exception {
  private static final long serialVersionUID = 1;

  /** Null if the host did not answer. */
  private final Status status;

  /**
   * @param what the host and why it did not
   */
  RequestException(String what) {
    this(what, null);
  }

  RequestException(String what, Status status) {
    super(what);
    this.status = status;
  }

  /** Whether this is how a request failed: the host refused it so. */
  public static boolean is(Throwable failure, Status status) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof RequestException && ((RequestException) cause).status == status;
  }
}
