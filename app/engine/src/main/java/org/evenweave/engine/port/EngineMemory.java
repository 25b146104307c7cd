package org.evenweave.engine.port;

import java.util.Collection;
import java.util.List;
import org.evenweave.engine.nib.Host;

/**
 * The state that an engine hands over to its successor, possibly on another instance of a cluster.
 * All other state is in the switches, in their events and in the configuration.
 *
 * <p>Only one engine at a time uses it. The engine calls it on its loop, so no method may block.
 */
public interface EngineMemory {
  /** Of an engine without one before or after it. */
  EngineMemory NONE =
      new EngineMemory() {
        @Override
        public long lastNumber() {
          return 0;
        }

        @Override
        public void reached(long number) {}

        @Override
        public Collection<Host> hosts() {
          return List.of();
        }

        @Override
        public void keep(List<Host> hosts) {}
      };

  /**
   * A number that no engine before this one has reached: versions, revisions and events are counted
   * on from there, so that they never go back for who compares them.
   */
  long lastNumber();

  /** The engine has counted on to this number, at least nearly. */
  void reached(long number);

  /** The hosts that were kept last, before this engine began. */
  Collection<Host> hosts();

  /** All hosts that an engine after this one should know. */
  void keep(List<Host> hosts);
}
