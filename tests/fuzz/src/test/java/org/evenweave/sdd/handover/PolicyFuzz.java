package org.evenweave.sdd.handover;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.config.SddConfigException;
import org.evenweave.sdd.config.SddConfigReader;
import org.evenweave.sdd.config.SharingConfig;

/** Policies in the messages of linked SDD controllers, and the documents in them. */
public final class PolicyFuzz {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final SddConfig CONFIG;

  static {
    String text =
        "{\"hosts\":[\"h0\",\"h1\"],\"circuitSwitch\":\"cs\",\"keys\":\"keys\","
            + "\"scheduler\":\"fastpass\",\"edge\":{\"hosts\":[\"e0\"]}}";
    try {
      CONFIG = SddConfigReader.read(text.getBytes(StandardCharsets.UTF_8), Path.of("/"));
    } catch (SddConfigException e) {
      throw new IllegalStateException(e);
    }
  }

  private PolicyFuzz() {}

  /** For Jazzer. */
  public static void fuzzerTestOneInput(byte[] text) throws IOException {
    try {
      PolicyState policy = PolicyState.of(JSON.readTree(text));
      SharingConfig sharing = SddConfigReader.readSharing(policy.sharing(), CONFIG);
      SddConfigReader.readTriggers(policy.triggers(), CONFIG, sharing);
      SddConfigReader.readEdgeOrder(policy.edge());
    } catch (JsonProcessingException | SddConfigException | IllegalArgumentException e) {
      // Refused with a reason.
    }
  }
}
