package org.evenweave.standalone.client;

/** A request that did not succeed. The message is for people, the exit code for programs. */
public final class ClientException extends Exception {
  private static final long serialVersionUID = 1;

  /** The controller refused the request, or cannot answer it now. */
  static final int REFUSED = 1;

  /** The profile or the input cannot be used. */
  static final int WRONG_INPUT = 2;

  /** No controller can be reached. */
  static final int UNREACHABLE = 3;

  /** The answer is there, and is not what an operator hopes for. */
  static final int NOT_AS_IT_SHOULD_BE = 4;

  /** The token or the password is missing, or does not allow the request. */
  static final int NOT_ALLOWED = 5;

  private final int exitCode;

  ClientException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }
}
