package org.evenweave.engine.rest;

import java.nio.charset.StandardCharsets;
import javax.ws.rs.BadRequestException;

/** Requests for a striping plan, which are computed too. */
public final class StripingFuzz {
  private StripingFuzz() {}

  /** For Jazzer. */
  public static void fuzzerTestOneInput(byte[] text) {
    try {
      new StripingResource().striping(new String(text, StandardCharsets.UTF_8));
    } catch (BadRequestException e) {
      // Refused with a reason.
    }
  }
}
