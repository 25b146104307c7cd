package org.evenweave.engine;

import java.util.function.Consumer;
import org.evenweave.engine.forwarding.ForwardingManager;
import org.evenweave.engine.hosts.HostMemory;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.runtime.Changes;
import org.evenweave.engine.runtime.EngineLoop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the tables of a switch whose tables are unknown, because it has just connected or a plan
 * failed on it; retries until they are known or the switch is gone. Belongs to the loop.
 */
final class InitialTableSync {
  private static final Logger LOG = LoggerFactory.getLogger(InitialTableSync.class);

  /** Pause before a failed read is retried. */
  private static final long RETRY_NANOS = 1_000_000_000L;

  private final EngineLoop loop;
  private final Nib nib;
  private final ForwardingManager forwarding;
  private final HostMemory hosts;
  private final Consumer<String> read;
  private final Changes changes;
  private final Runnable known;

  /**
   * @param read gets every switch that was read
   * @param changes gets that a switch takes part from now on
   * @param known runs when the tables of one that takes part already are known again
   */
  InitialTableSync(
      EngineLoop loop,
      Nib nib,
      ForwardingManager forwarding,
      HostMemory hosts,
      Consumer<String> read,
      Changes changes,
      Runnable known) {
    this.loop = loop;
    this.nib = nib;
    this.forwarding = forwarding;
    this.hosts = hosts;
    this.read = read;
    this.changes = changes;
    this.known = known;
  }

  void start(String switchId) {
    forwarding.read(
        switchId,
        (tables, error) -> {
          if (error == null && nib.tablesKnown(switchId, tables.routedPorts())) {
            read.accept(switchId);
            adoptHosts(switchId, tables);
            hosts.recall(switchId, nib);
            changes.changed();
          } else if (error == null) {
            read.accept(switchId);
            known.run();
          } else if (nib.connected(switchId)) {
            LOG.warn("{}: tables cannot be read: {}", switchId, error.getMessage());
            loop.schedule(() -> startUnlessKnown(switchId), RETRY_NANOS);
          }
        });
  }

  void startUnlessKnown(String switchId) {
    if (nib.connected(switchId) && !forwarding.knows(switchId)) {
      start(switchId);
    }
  }

  /** Learns the hosts that the switch's rules deliver to. */
  private void adoptHosts(String switchId, SwitchTables tables) {
    for (FlowRule rule : tables.flows().values()) {
      if (rule.action() == FlowRule.Action.DELIVER) {
        nib.hostKnown(
            new Host(rule.prefix().address(), rule.destinationMac(), switchId, rule.outPort()));
      }
    }
  }
}
