package org.evenweave.app.api;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.evenweave.app.config.ConfigKeeper;
import org.evenweave.app.southbound.PendingChanges;
import org.evenweave.app.southbound.Purge;
import org.evenweave.engine.Engine;
import org.onosproject.cluster.NodeId;

/** What this instance's command line, REST resources and GUI ask the application for. */
public interface EvenweaveService {
  /** As the application is called in ONOS. */
  String NAME = "org.evenweave.app";

  /** The engine, if it works on this instance. */
  Optional<Engine> engine();

  /** The instance on which the engine works; empty while there is none. */
  Optional<NodeId> leader();

  /** What this instance has asked of switches that is not confirmed. */
  PendingChanges pending();

  /**
   * Removes all groups and rules of the application from all switches, and then deactivates the
   * application on all instances, or its engine would install them again. Only where the engine
   * works.
   */
  CompletableFuture<Purge.Result> purge();

  /** The engine's configuration, which is ONOS's network configuration. */
  ConfigKeeper configuration();
}
