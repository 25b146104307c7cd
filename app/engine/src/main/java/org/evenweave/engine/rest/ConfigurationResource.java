package org.evenweave.engine.rest;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import javax.ws.rs.Consumes;
import javax.ws.rs.GET;
import javax.ws.rs.PATCH;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.ConfigReader;
import org.evenweave.engine.config.ConfigUpdate;
import org.evenweave.engine.config.ConfigWriter;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.forwarding.CannotFitException;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricException;

/** The configuration, as {@link ConfigReader} describes it. */
@Path("configuration")
@Produces(MediaType.APPLICATION_JSON)
public final class ConfigurationResource {
  private final Engine engine;

  public ConfigurationResource(Engine engine) {
    this.engine = engine;
  }

  /** The whole configuration in force or on its way. */
  @GET
  public String configuration() {
    return ConfigWriter.write(engine.configuration()).toString();
  }

  /**
   * Replaces it as a whole; {@code /status} shows when every switch has what it asks for. 400 or
   * 409, and nothing changed, with the path of a field that is wrong.
   */
  @PUT
  @Consumes(MediaType.APPLICATION_JSON)
  public String configure(String body) {
    return change(present -> ConfigUpdate.replacement(present, body));
  }

  /** Changes some fields (JSON Merge Patch, RFC 7386) and leaves the others as they are. */
  @PATCH
  @Consumes({"application/merge-patch+json", MediaType.APPLICATION_JSON})
  public String patch(String body) {
    return change(present -> ConfigUpdate.patched(present, body));
  }

  private String change(UnaryOperator<EngineConfig> change) {
    // The fabric of the last attempt: an error names the field in it.
    AtomicReference<Fabric> requested = new AtomicReference<>();
    try {
      engine.change(
          present -> {
            EngineConfig after = change.apply(present);
            requested.set(after.intended());
            return after;
          });
    } catch (FabricException e) {
      throw Responses.refusal(e);
    } catch (CannotFitException e) {
      throw Responses.conflict(e.in(requested.get()).getMessage());
    }
    return configuration();
  }
}
