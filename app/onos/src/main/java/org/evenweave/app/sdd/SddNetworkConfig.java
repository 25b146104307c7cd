package org.evenweave.app.sdd;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.evenweave.schema.InputSchema;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.config.SddConfigException;
import org.evenweave.sdd.config.SddConfigReader;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.InvalidFieldException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration under {@code apps/org.evenweave.app/sdd} of ONOS's network configuration: the
 * JSON of {@code evenweave sdd}, and optionally the {@code instance} that runs the controller.
 *
 * <pre>
 * {"apps": {"org.evenweave.app": {"sdd": {
 *   "hosts": ["h0", "h1", "h2", "h3"], "circuitSwitch": "cs",
 *   "listen": "10.99.0.1:6650", "keys": "/etc/evenweave/keys",
 *   "instance": "10.99.0.1"}}}}
 * </pre>
 */
public final class SddNetworkConfig extends Config<ApplicationId> {
  private static final Logger LOG = LoggerFactory.getLogger(SddNetworkConfig.class);

  /** The name of the configuration below the application's. */
  public static final String KEY = "sdd";

  private static final String INSTANCE = "instance";
  private static final String CONTROLLERS = "controllers";

  /** Where ONOS itself looks for what operators give it: {@code $ONOS_HOME/config}. */
  private static final Path FOLDER = Path.of("../config").toAbsolutePath().normalize();

  /**
   * ONOS refuses the whole of a configuration that is not valid, and keeps the one before.
   *
   * @throws InvalidFieldException naming the field that is wrong
   */
  @Override
  public boolean isValid() {
    InputSchema.named("sdd-onos")
        .violation(object)
        .ifPresent(
            violation -> {
              throw refused(violation.path(KEY), violation.problem());
            });
    if (object.has(CONTROLLERS)) {
      throw refused(CONTROLLERS, "are the cluster's instances here: leave it out");
    }
    try {
      read(document());
      return true;
    } catch (SddConfigException e) {
      throw refused(e.path(), e.reason());
    }
  }

  /** Logged, because neither {@code onos-netcfg} nor ONOS's own log shows the reason. */
  private InvalidFieldException refused(String field, String reason) {
    LOG.warn(
        "apps/{}/{} refused, the previous configuration stays in force: {}: {}",
        subject().name(),
        KEY,
        field,
        reason);
    return new InvalidFieldException(field, reason);
  }

  /** The instance that is to run the controller, if the operator chose one. */
  Optional<NodeId> instance() {
    return object.has(INSTANCE)
        ? Optional.of(NodeId.nodeId(object.get(INSTANCE).asText()))
        : Optional.empty();
  }

  /** The names of the hosts. */
  public List<String> hosts() {
    List<String> names = new ArrayList<>();
    object.path("hosts").forEach(name -> names.add(name.asText()));
    return names;
  }

  /** The document that is the controller's. */
  String document() {
    ObjectNode document = object.deepCopy();
    document.remove(INSTANCE);
    return document.toString();
  }

  /**
   * For the controller; paths are relative to {@code $ONOS_HOME/config}.
   *
   * @throws SddConfigException naming the field that is wrong, on this instance
   */
  static SddConfig read(String document) throws SddConfigException {
    return SddConfigReader.read(document.getBytes(StandardCharsets.UTF_8), FOLDER);
  }
}
