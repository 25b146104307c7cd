package org.evenweave.sdd.session;

/** A client is turned away; the message is what it and the log are told. */
final class RefusedException extends Exception {
  RefusedException(String why) {
    super(why);
  }
}
