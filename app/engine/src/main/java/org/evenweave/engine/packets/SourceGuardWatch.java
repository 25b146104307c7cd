package org.evenweave.engine.packets;

import java.util.HashMap;
import java.util.Map;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.nib.PortGuard;
import org.evenweave.engine.port.SwitchTraits;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts packets that switches drop because of their source address, from the counters of the
 * guard's rules, and reports ports that begin to send such packets. Belongs to the loop.
 */
public final class SourceGuardWatch {
  private static final Logger LOG = LoggerFactory.getLogger(SourceGuardWatch.class);

  /** A port is named again when it has sent nothing of the kind for so long. */
  private static final long QUIET_NANOS = 600_000_000_000L;

  private final EngineLoop loop;
  private final Nib nib;
  private final SwitchTraits traits;
  private final EventLog events;
  private final RefusedSources counts = new RefusedSources();
  private final Map<SwitchPort, Long> refusedAtNanos = new HashMap<>();

  public SourceGuardWatch(EngineLoop loop, Nib nib, SwitchTraits traits, EventLog events) {
    this.loop = loop;
    this.nib = nib;
    this.traits = traits;
    this.events = events;
  }

  public RefusedSources counts() {
    return counts;
  }

  /**
   * A switch was read.
   *
   * @param refused by port, the packets that its rule has dropped
   */
  public void read(String switchId, Map<Integer, Long> refused) {
    PortGuard guard = nib.snapshot().guardAt(switchId);
    boolean isUnguarded = guard.ports().length > 0 && !traits.looksUpAgain(switchId);
    if (counts.unguarded(switchId, isUnguarded) && isUnguarded) {
      LOG.warn(
          "{}: cannot check the source addresses of its hosts: it is not an Open vSwitch",
          switchId);
    }
    refused.forEach((port, packets) -> read(new SwitchPort(switchId, port), packets));
  }

  private void read(SwitchPort port, long packets) {
    long more = counts.read(port, packets);
    if (more == 0) {
      return;
    }
    long nowNanos = loop.nanoTime();
    Long before = refusedAtNanos.put(port, nowNanos);
    if (before == null || nowNanos - before > QUIET_NANOS) {
      events.note(
          Event.Kind.SOURCE_REFUSED,
          port + " sent " + more + " packets from addresses that are not allowed there",
          nowNanos);
    }
  }
}
