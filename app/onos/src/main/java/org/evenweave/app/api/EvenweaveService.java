package org.evenweave.app.api;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.evenweave.app.config.ConfigKeeper;
import org.evenweave.app.removal.Purge;
import org.evenweave.app.southbound.PendingChanges;
import org.evenweave.app.southbound.SwitchCounters;
import org.evenweave.engine.Engine;
import org.evenweave.engine.port.SouthboundException;
import org.onosproject.cluster.NodeId;

/** The application, for the CLI, REST resources and GUI of this instance. */
public interface EvenweaveService {
  /** The application's name in ONOS. */
  String NAME = "org.evenweave.app";

  /** The engine, if it runs on this instance. */
  Optional<Engine> engine();

  /** The leader, where the engine runs; empty while there is none. */
  Optional<NodeId> leader();

  /** Changes requested by this instance and not confirmed yet. */
  PendingChanges pending();

  /**
   * The groups and rules of the application in a switch, read from it now. Only on the leader.
   *
   * @return fails with a {@link SouthboundException} if the switch cannot be read
   */
  CompletableFuture<SwitchCounters> counters(String switchId);

  /**
   * Removes all groups and rules of the application from all switches, and then deactivates the
   * application on all instances, or its engine would install them again. Only on the leader.
   */
  CompletableFuture<Purge.Result> purge();

  /** The engine's configuration, which is ONOS's network configuration. */
  ConfigKeeper configuration();
}
