package org.evenweave.sdd.session;

/** A client is refused; the message goes to the client and to the log. */
final class RefusedException extends Exception {
  RefusedException(String why) {
    super(why);
  }
}
