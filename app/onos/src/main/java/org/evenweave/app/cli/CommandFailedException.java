package org.evenweave.app.cli;

/** Ends a command with its message and an exit status other than 0. */
final class CommandFailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  CommandFailedException(String message) {
    super(message);
  }
}
