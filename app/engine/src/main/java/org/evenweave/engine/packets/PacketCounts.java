package org.evenweave.engine.packets;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Counts packets received by the controller, in total and for each port whose packets had no use.
 * Memory is bounded: the ports counted first are forgotten. Safe for many threads.
 */
public final class PacketCounts {
  private static final int MAX_PORTS = 1024;

  private long handled;
  private long malformed;
  private long dropped;
  private long expiredAnswered;
  private long expiredLimited;
  private long expiredUnanswered;
  private final Map<SwitchPort, Port> ports =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<SwitchPort, Port> eldest) {
          return size() > MAX_PORTS;
        }
      };

  /** Packets of one port that were not handled. */
  public static final class Port {
    private final SwitchPort id;
    private final long malformed;
    private final long dropped;

    private Port(SwitchPort id, long malformed, long dropped) {
      this.id = id;
      this.malformed = malformed;
      this.dropped = dropped;
    }

    public SwitchPort id() {
      return id;
    }

    public long malformed() {
      return malformed;
    }

    public long dropped() {
      return dropped;
    }
  }

  public synchronized void handled() {
    handled++;
  }

  /** A frame that contradicts its header. */
  public synchronized void malformed(String switchId, int port) {
    malformed++;
    count(switchId, port, 1, 0);
  }

  /** Packets beyond a limit on the packets of a port, of a switch or of all. */
  public synchronized void dropped(String switchId, int port, long count) {
    dropped += count;
    count(switchId, port, 0, count);
  }

  private void count(String switchId, int port, long moreMalformed, long moreDropped) {
    SwitchPort id = new SwitchPort(switchId, port);
    ports.merge(
        id,
        new Port(id, moreMalformed, moreDropped),
        (before, more) ->
            new Port(id, before.malformed + more.malformed, before.dropped + more.dropped));
  }

  /** A packet whose TTL was used up got ICMP time exceeded. */
  public synchronized void expiredAnswered() {
    expiredAnswered++;
  }

  /** A packet whose TTL was used up got no answer, since its switch had given too many. */
  public synchronized void expiredLimited() {
    expiredLimited++;
  }

  /** A packet whose TTL was used up may not be answered, or is from no host that is known. */
  public synchronized void expiredUnanswered() {
    expiredUnanswered++;
  }

  /** Packets that were handled. */
  public synchronized long allHandled() {
    return handled;
  }

  public synchronized long allMalformed() {
    return malformed;
  }

  public synchronized long allDropped() {
    return dropped;
  }

  public synchronized long allExpiredAnswered() {
    return expiredAnswered;
  }

  public synchronized long allExpiredLimited() {
    return expiredLimited;
  }

  public synchronized long allExpiredUnanswered() {
    return expiredUnanswered;
  }

  /** Of each port that sent malformed packets or too many. */
  public synchronized List<Port> ports() {
    return List.copyOf(ports.values());
  }
}
