package org.evenweave.engine.whatif;

import java.nio.charset.StandardCharsets;
import org.evenweave.wcmp.fabric.FabricException;

/** Changes that {@code POST /what-if} supposes. */
public final class SuppositionFuzz {
  private SuppositionFuzz() {}

  /** For Jazzer. */
  public static void fuzzerTestOneInput(byte[] text) {
    try {
      Supposition.read(new String(text, StandardCharsets.UTF_8));
    } catch (FabricException e) {
      // Refused with a reason.
    }
  }
}
