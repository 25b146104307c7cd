package org.evenweave.engine.rest;

import java.nio.charset.StandardCharsets;
import javax.ws.rs.ClientErrorException;

/** Requests for a striping plan, which are computed too. */
public final class StripingFuzz {
  private StripingFuzz() {}

  /** For Jazzer. */
  public static void fuzzerTestOneInput(byte[] text) {
    try {
      new StripingResource().striping(new String(text, StandardCharsets.UTF_8));
    } catch (ClientErrorException e) {
      // Refused with a reason.
    }
  }
}
