package org.evenweave.sdd.condition;

/** A text is not a valid condition; the message is one sentence without the position. */
public final class ConditionException extends Exception {
  private static final long serialVersionUID = 1;

  private final int position;

  ConditionException(int position, String message) {
    super(message);
    this.position = position;
  }

  /** The byte at which it is wrong, from 0. */
  public int position() {
    return position;
  }
}
