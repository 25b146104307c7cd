package org.evenweave.standalone.controller;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.evenweave.engine.config.ConfigUpdate;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.forwarding.CannotFitException;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the fabric file again and puts it in force instead of the present configuration, whatever
 * REST has changed of that. A file that is wrong changes nothing. Safe for many threads.
 */
final class FabricReload implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(FabricReload.class);

  /** Changes the configuration of an engine. */
  @FunctionalInterface
  interface Target {
    /** As {@link org.evenweave.engine.Engine#change}. */
    EngineConfig change(UnaryOperator<EngineConfig> change);
  }

  private final Path file;
  private final UnaryOperator<EngineConfig> options;
  private final Target target;

  /**
   * @param file null if the controller was started without one
   * @param options puts in force what options of the command line say instead of the file
   */
  FabricReload(Path file, UnaryOperator<EngineConfig> options, Target target) {
    this.file = file;
    this.options = options;
    this.target = target;
  }

  @Override
  public synchronized void run() {
    if (file == null) {
      LOG.warn("SIGHUP: there is no fabric file to read again, as --fabric was not given");
      return;
    }
    // The fabric of the last attempt: an error names the field in it.
    AtomicReference<Fabric> requested = new AtomicReference<>();
    try {
      target.change(
          present -> {
            EngineConfig next = options.apply(ConfigUpdate.reloaded(present, file));
            requested.set(next.intended());
            return next;
          });
      LOG.info("SIGHUP: {} was read again and is in force", file);
    } catch (FabricException e) {
      refused(e);
    } catch (CannotFitException e) {
      refused(e.in(requested.get()));
    }
  }

  private void refused(FabricException problem) {
    LOG.error(
        "SIGHUP: {} is refused, the previous configuration stays in force: {}",
        file,
        problem.getMessage());
  }
}
