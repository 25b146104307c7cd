package org.evenweave.engine.config;

import java.nio.charset.StandardCharsets;
import org.evenweave.wcmp.fabric.FabricException;

/** Changes of a configuration (JSON merge patch, RFC 7386). */
public final class PatchFuzz {
  private static final EngineConfig PRESENT =
      ConfigReader.parse(
          "{\"switches\":[{\"id\":\"s1\",\"stage\":1},{\"id\":\"s2\",\"stage\":2}],"
              + "\"links\":[{\"a\":\"s1/1\",\"b\":\"s2/1\",\"bps\":1000000000}],"
              + "\"subnets\":[{\"switch\":\"s1\",\"prefix\":\"10.0.0.0/24\"}]}");

  private PatchFuzz() {}

  /** For Jazzer. */
  public static void fuzzerTestOneInput(byte[] text) {
    try {
      EngineConfig patched =
          ConfigUpdate.patched(PRESENT, new String(text, StandardCharsets.UTF_8));
      ConfigWriter.write(patched);
    } catch (FabricException e) {
      // Refused with a reason.
    }
  }
}
