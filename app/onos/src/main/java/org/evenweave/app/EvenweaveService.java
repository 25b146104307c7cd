package org.evenweave.app;

import java.util.Optional;
import org.evenweave.app.config.ConfigKeeper;
import org.evenweave.app.southbound.PendingChanges;
import org.evenweave.engine.Engine;
import org.onosproject.cluster.NodeId;

/** What this instance's command line, REST resources and GUI ask the application for. */
public interface EvenweaveService {
  /** The engine, if it works on this instance. */
  Optional<Engine> engine();

  /** The instance on which the engine works; empty while there is none. */
  Optional<NodeId> leader();

  /** What this instance has asked of switches that is not confirmed. */
  PendingChanges pending();

  /** The engine's configuration, which is ONOS's network configuration. */
  ConfigKeeper configuration();
}
