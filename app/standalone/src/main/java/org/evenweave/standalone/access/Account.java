package org.evenweave.standalone.access;

import java.security.Principal;

/** Somebody who has proved who he is. Immutable. */
public final class Account implements Principal {
  /** The proof of who may do something without one. */
  static final String NONE = "none";

  private final String name;
  private final Role role;
  private final String proof;

  /**
   * @param proof how: {@code token}, {@code certificate} or {@code none}
   */
  public Account(String name, Role role, String proof) {
    this.name = name;
    this.role = role;
    this.proof = proof;
  }

  @Override
  public String getName() {
    return name;
  }

  /** What he may do. */
  public Role role() {
    return role;
  }

  /** By what he has proved who he is: {@code token}, {@code certificate} or {@code none}. */
  public String proof() {
    return proof;
  }

  /** Whether he has proved who he is. */
  public boolean isProven() {
    return !proof.equals(NONE);
  }

  @Override
  public String toString() {
    return name;
  }
}
