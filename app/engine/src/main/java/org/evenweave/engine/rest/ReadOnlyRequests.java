package org.evenweave.engine.rest;

import java.util.Set;

/** The requests that change nothing; a client that may read may send them. */
public final class ReadOnlyRequests {
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

  /** A request to them has a body that says what to compute. */
  private static final Set<String> COMPUTATIONS =
      Set.of(WhatIfResource.PATH, StripingResource.PATH);

  private ReadOnlyRequests() {}

  /**
   * Whether a request changes nothing: its method is safe (RFC 9110, section 9.2.1), or its
   * resource only computes.
   *
   * @param path below the root of the resources, without a query
   */
  public static boolean contain(String method, String path) {
    return SAFE.contains(method) || COMPUTATIONS.contains(path);
  }
}
