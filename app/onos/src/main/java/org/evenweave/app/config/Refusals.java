package org.evenweave.app.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.evenweave.app.cluster.SharedText;
import org.evenweave.engine.status.RuntimeReport.Refusal;

/**
 * The network configuration that was refused last, by whichever instance it was given to, until one
 * is accepted: ONOS does not report the reason to an operator who pushed it by {@code onos-netcfg}
 * why.
 */
public final class Refusals {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final SharedText text;
  private final Clock clock;

  public Refusals(SharedText text, Clock clock) {
    this.text = text;
    this.clock = clock;
  }

  /** A configuration is refused now. */
  public void refused(String field, String problem) {
    text.put(
        JSON.createObjectNode()
            .put("at", clock.instant().toString())
            .put("field", field)
            .put("problem", problem)
            .toString());
  }

  /** A configuration is accepted now. */
  public void accepted() {
    text.remove();
  }

  /** The last refusal; empty if a configuration was accepted since. */
  public Optional<Refusal> last() {
    return text.get().map(Refusals::read);
  }

  private static Refusal read(String text) {
    try {
      JsonNode json = JSON.readTree(text);
      return new Refusal(
          Instant.parse(json.get("at").asText()),
          json.get("field").asText(),
          json.get("problem").asText());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
