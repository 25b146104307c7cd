package org.evenweave.engine.reconcile;

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
 * failed on it:
 *
 * <ol>
 *   <li>Read the tables. If that fails, try again until they are known or the switch is gone.
 *   <li>A switch that has just connected is used from now on: the hosts that its rules deliver to
 *       are learned, those known from before are restored, and the change is reported.
 *   <li>For a switch that is used already, the changes that waited for its tables are answered.
 * </ol>
 *
 * <p>Belongs to the loop.
 */
final class InitialTableSync {
  private static final Logger LOG = LoggerFactory.getLogger(InitialTableSync.class);

  /** Pause before a failed read is retried. */
  private static final long RETRY_NANOS = 1_000_000_000L;

  private final EngineLoop loop;
  private final Nib nib;
  private final ForwardingManager forwarding;
  private final HostMemory hosts;
  private final GracefulRestart restart;
  private final Changes changes;
  private final Runnable known;

  /**
   * @param restart gets every switch that was read
   * @param changes gets that a switch is used from now on
   * @param known runs when the tables of one that is used already are known again
   */
  InitialTableSync(
      EngineLoop loop,
      Nib nib,
      ForwardingManager forwarding,
      HostMemory hosts,
      GracefulRestart restart,
      Changes changes,
      Runnable known) {
    this.loop = loop;
    this.nib = nib;
    this.forwarding = forwarding;
    this.hosts = hosts;
    this.restart = restart;
    this.changes = changes;
    this.known = known;
  }

  /** Reads the tables of a switch. */
  void start(String switchId) {
    forwarding.read(
        switchId,
        (tables, error) -> {
          if (error == null && nib.tablesKnown(switchId, tables.routedPorts())) {
            restart.read(switchId);
            adoptHosts(switchId, tables);
            hosts.recall(switchId, nib);
            changes.changed();
          } else if (error == null) {
            restart.read(switchId);
            known.run();
          } else if (nib.connected(switchId)) {
            LOG.warn("{}: tables cannot be read: {}", switchId, error.getMessage());
            loop.schedule(() -> startUnlessKnown(switchId), RETRY_NANOS);
          }
        });
  }

  /** Reads the tables of a switch that is connected, unless they are known. */
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
