package org.evenweave.engine.packets;

import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Counts, by port, packets that switches dropped because their source addresses are not allowed
 * there, and lists the switches that cannot check them. Safe for many threads.
 */
public final class RefusedSources {
  /** By port whose switch has counted any, the counter when it was read last. */
  private final Map<SwitchPort, Long> lastRead = new TreeMap<>();

  private final SortedMap<SwitchPort, Long> dropped = new TreeMap<>();
  private final SortedSet<String> unguarded = new TreeSet<>();

  /**
   * The counter of a port's rule was read. It starts at 0 when the rule is written again.
   *
   * @param packets that the rule has dropped
   * @return how many more they are than before
   */
  synchronized long read(SwitchPort port, long packets) {
    long before = lastRead.getOrDefault(port, 0L);
    long more = packets >= before ? packets - before : packets;
    if (packets > 0 || before > 0) {
      lastRead.put(port, packets);
    }
    if (more > 0) {
      dropped.merge(port, more, Long::sum);
    }
    return more;
  }

  /**
   * Whether a switch that should check sources cannot.
   *
   * @return whether that is new
   */
  synchronized boolean unguarded(String switchId, boolean isUnguarded) {
    return isUnguarded ? unguarded.add(switchId) : unguarded.remove(switchId);
  }

  /** The packets dropped at each port that dropped any, since the controller started. */
  public synchronized SortedMap<SwitchPort, Long> dropped() {
    return new TreeMap<>(dropped);
  }

  /** The switches that should check sources and cannot. */
  public synchronized SortedSet<String> unguarded() {
    return new TreeSet<>(unguarded);
  }
}
