package org.evenweave.sdd.handover;

/** A change counts at this controller, and it is not certain that those that take over have it. */
public final class UnconfirmedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * @param why who may not have it
   */
  public UnconfirmedException(String why) {
    super("it is changed here, but " + why + "; send it again");
  }
}
