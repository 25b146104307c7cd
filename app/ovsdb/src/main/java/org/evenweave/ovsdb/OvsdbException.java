package org.evenweave.ovsdb;

import java.io.IOException;

/** An OVSDB server refused a transaction, or its answer is not one. */
public final class OvsdbException extends IOException {
  private static final long serialVersionUID = 1;

  OvsdbException(String message) {
    super(message);
  }
}
