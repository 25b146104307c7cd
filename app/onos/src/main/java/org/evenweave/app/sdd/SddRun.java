package org.evenweave.app.sdd;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.config.SddConfigException;
import org.evenweave.sdd.loop.SddController;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SDD controller on this instance, or the reason why none runs. One thread starts and stops it,
 * any thread may read.
 */
final class SddRun {
  private static final Logger LOG = LoggerFactory.getLogger(SddRun.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NOT_STARTED = "it has not started";
  private static final String RESTARTS = "it restarts with another configuration";

  /** For who asked for the controller just before it started, and for the reason just after. */
  private static final String STARTED = "it has just started; try again";

  private final BiConsumer<SddController, Boolean> join;

  private volatile SddController controller;
  private volatile String problem = NOT_STARTED;

  /** Certificates that were warned of. */
  private List<String> expiringBefore = List.of();

  /** The configuration of the running controller. */
  private String document;

  /** Whether the controller was last to stand by for another instance's. */
  private boolean standsBy;

  /**
   * @param join is given each controller that starts, and whether as the one that leads
   */
  SddRun(BiConsumer<SddController, Boolean> join) {
    this.join = join;
  }

  Optional<SddController> controller() {
    return Optional.ofNullable(controller);
  }

  /** Why none runs, or ran a moment ago. */
  String problem() {
    return problem;
  }

  /**
   * Runs the controller with this configuration. One that stood by leads from now on, unless the
   * configuration has it stand by. One that runs with another configuration stops first, unless
   * only {@code sharing} and {@code triggers} differ: these change while it runs.
   */
  void run(String configuration) {
    if (start(configuration, false) && standsBy) {
      lead();
    }
    standsBy = false;
  }

  /**
   * The same with a controller that stands by. One that leads already goes on until its hosts say
   * that they have another.
   */
  void standBy(String configuration) {
    start(configuration, true);
    standsBy = true;
  }

  /** Whether there is a controller that should lead and stands by, since it has been overtaken. */
  boolean isOvertaken() {
    return controller != null
        && !standsBy
        && !isMeantToStandBy()
        && !controller.leadership().leads();
  }

  /** Has the controller lead, unless the configuration has it stand by. */
  void lead() {
    if (!isMeantToStandBy()) {
      controller.leadership().lead();
    }
  }

  private boolean isMeantToStandBy() {
    return controller.config().standby();
  }

  /** Whether the controller has run with this configuration before. */
  private boolean start(String configuration, boolean asStandby) {
    if (controller != null && (configuration.equals(document) || policyAlone(configuration))) {
      reloadKeys();
      warnOfExpiry();
      return true;
    }
    end(RESTARTS);
    try {
      SddConfig config = SddNetworkConfig.read(configuration);
      SddController started = new SddController(config, asStandby || config.standby());
      document = configuration;
      controller = started;
      join.accept(started, !asStandby);
      problem = STARTED;
      LOG.info(
          "the SDD controller listens on {}{}",
          started.address(),
          asStandby ? " and stands by" : "");
    } catch (SddConfigException | IOException | RuntimeException e) {
      fault(e);
    }
    return false;
  }

  /** ONOS has no SIGHUP of ours, so the controller looks whether its key files have changed. */
  private void reloadKeys() {
    try {
      if (controller.reloadChangedKeys()) {
        LOG.info("the SDD controller has read its keys again");
      }
    } catch (IOException e) {
      LOG.error("the SDD controller continues with its previous keys: {}", e.getMessage());
    }
  }

  /** Warns once of each certificate that expires soon. */
  private void warnOfExpiry() {
    List<String> expiring = controller.expiringCertificates(Instant.now());
    expiring.stream().filter(warning -> !expiringBefore.contains(warning)).forEach(LOG::warn);
    expiringBefore = expiring;
  }

  /** Whether nothing but traffic classes and triggers is new, which count now. */
  private boolean policyAlone(String configuration) {
    try {
      if (!withoutPolicy(configuration).equals(withoutPolicy(document))) {
        return false;
      }
      controller.replacePolicy(SddNetworkConfig.read(configuration));
      document = configuration;
      LOG.info("the SDD controller has other traffic classes or triggers");
      return true;
    } catch (SddConfigException | IOException | IllegalArgumentException e) {
      LOG.warn("the SDD controller restarts to apply its policy: {}", e.getMessage());
      return false;
    }
  }

  private static ObjectNode withoutPolicy(String configuration) throws IOException {
    ObjectNode without = (ObjectNode) JSON.readTree(configuration);
    without.remove("sharing");
    without.remove("triggers");
    return without;
  }

  /** Logs each reason once, however often the start is retried. */
  private void fault(Exception e) {
    String reason = e instanceof RuntimeException ? e.toString() : e.getMessage();
    if (!reason.equals(problem)) {
      LOG.error("the SDD controller cannot start: {}", reason);
    }
    problem = reason;
  }

  /** Runs none: hosts fall back to their safe policy. */
  void stop() {
    end(NOT_STARTED);
    problem = NOT_STARTED;
  }

  private void end(String reason) {
    if (controller != null) {
      problem = reason;
      SddController ended = controller;
      controller = null;
      ended.close();
      LOG.info("the SDD controller has stopped");
    }
  }
}
