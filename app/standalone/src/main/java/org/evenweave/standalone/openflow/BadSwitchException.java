package org.evenweave.standalone.openflow;

/** A switch that costs more than any good one does; its connection is closed. */
final class BadSwitchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param reason a sentence without the switch's name, for the log and for who waits for an answer
   */
  BadSwitchException(String reason) {
    super(reason);
  }
}
