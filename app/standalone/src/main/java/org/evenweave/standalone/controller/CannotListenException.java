package org.evenweave.standalone.controller;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Locale;

/** An address cannot be listened on; the message names it, the reason and what to do. */
public final class CannotListenException extends Exception {
  /**
   * @param option the option that chooses another address
   */
  public CannotListenException(String option, InetSocketAddress address, IOException cause) {
    super(
        Endpoint.text(address)
            + (isInUse(cause)
                ? " is already in use: stop what listens there, or choose another with "
                : " cannot be listened on (" + cause.getMessage() + "): choose another with ")
            + option,
        cause);
  }

  private static boolean isInUse(IOException cause) {
    String message = String.valueOf(cause.getMessage());
    return message.toLowerCase(Locale.ROOT).contains("already in use");
  }
}
