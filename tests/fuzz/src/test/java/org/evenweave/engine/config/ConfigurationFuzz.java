package org.evenweave.engine.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import org.evenweave.wcmp.fabric.FabricException;

/** Configurations: what is taken can be written, and is the same when it is read again. */
public final class ConfigurationFuzz {
  private ConfigurationFuzz() {}

  /** For Jazzer. */
  public static void fuzzerTestOneInput(byte[] text) {
    EngineConfig config;
    try {
      config = ConfigReader.parse(new String(text, StandardCharsets.UTF_8));
    } catch (FabricException e) {
      return;
    }
    JsonNode written = ConfigWriter.write(config);
    JsonNode again = ConfigWriter.write(ConfigReader.of(written));
    if (!again.equals(written)) {
      throw new IllegalStateException(written + " becomes " + again);
    }
  }
}
