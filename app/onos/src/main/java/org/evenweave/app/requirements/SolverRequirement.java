package org.evenweave.app.requirements;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.Executor;
import org.evenweave.engine.Engine;
import org.evenweave.wcmp.traffic.TrafficRule;
import org.evenweave.wcmp.weights.WeightRule;
import org.onlab.util.Tools;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Provides strategy "traffic" to engines while the application with its linear-program solver is
 * active; the solver is native code of many megabytes. That application's bundle is nothing but jar
 * files, which {@link SolverLoader} loads beside this bundle's classes.
 */
public final class SolverRequirement {
  /** The name of the application in ONOS, and of its bundle. */
  public static final String APPLICATION = "org.evenweave.traffic";

  private static final Logger LOG = LoggerFactory.getLogger(SolverRequirement.class);

  /** The bundle's folder of jar files. */
  private static final String FOLDER = "solver";

  private static final String MISSING =
      "strategy \"traffic\" has no solver, so weights are those of \"wcmp\": the application "
          + APPLICATION
          + " is not active";

  private final BundleContext context;
  private final Executor worker;

  /** What {@link #rule} is from; null if nothing is. */
  private Bundle loaded;

  private TrafficRule rule;

  /**
   * @param context of this bundle, which keeps the copies
   * @param worker runs the rule, one task at a time
   */
  public SolverRequirement(BundleContext context, Executor worker) {
    this.context = context;
    this.worker = worker;
  }

  /**
   * Has an engine use the solver that is there now, or none.
   *
   * @return what is wrong, a sentence each
   */
  public synchronized List<String> provide(Engine engine) {
    Bundle present = activeBundle();
    if (present != loaded) {
      rule = present == null ? null : load(present);
      loaded = present;
    }
    if (engine.traffic().rule() != rule) {
      engine.traffic().useRule(rule, worker);
    }
    boolean isNeeded = engine.configuration().weightRule() == WeightRule.TRAFFIC;
    return isNeeded && rule == null ? List.of(MISSING) : List.of();
  }

  private Bundle activeBundle() {
    for (Bundle bundle : context.getBundles()) {
      if (APPLICATION.equals(bundle.getSymbolicName()) && bundle.getState() == Bundle.ACTIVE) {
        return bundle;
      }
    }
    return null;
  }

  private TrafficRule load(Bundle bundle) {
    Path storage = context.getDataFile(FOLDER).toPath();
    try {
      Tools.removeDirectory(storage.toFile());
      Files.createDirectories(storage);
      // A folder of its own, so that no file changes under a solver that was loaded before.
      Path folder = Files.createTempDirectory(storage, "v");
      // Stays open: the rule loads classes when it first runs.
      ClassLoader loader =
          SolverLoader.of(bundle, FOLDER, folder, TrafficRule.class.getClassLoader());
      return ServiceLoader.load(TrafficRule.class, loader)
          .findFirst()
          .orElseThrow(() -> new ServiceConfigurationError("no jar file has the rule"));
    } catch (IOException | ServiceConfigurationError e) {
      LOG.error("the solver of {} cannot be used", APPLICATION, e);
      return null;
    }
  }
}
