package org.evenweave.sdd.protocol;

/** A message violates the protocol; names the field and the fault. The sender is at fault. */
public final class ProtocolException extends Exception {
  /**
   * @param where the field's path, such as {@code hello.addresses[2].prefixBits}
   * @param what what is wrong with it
   */
  public ProtocolException(String where, String what) {
    super(where + ": " + what);
  }
}
