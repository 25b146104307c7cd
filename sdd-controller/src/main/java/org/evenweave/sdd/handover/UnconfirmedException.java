package org.evenweave.sdd.handover;

/** A change is in force at this controller, but controllers that take over may not have it. */
public final class UnconfirmedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * @param why who may not have it
   */
  public UnconfirmedException(String why) {
    super("it is changed here, but " + why + "; send it again");
  }
}
