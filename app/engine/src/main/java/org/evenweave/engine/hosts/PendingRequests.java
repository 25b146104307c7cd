package org.evenweave.engine.hosts;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.engine.nib.Host;
import org.onlab.packet.Ethernet;

/**
 * ARP requests of hosts for other hosts' addresses that wait until it is known whether these are
 * there. They are dropped after {@link #WAIT_NANOS}, for hosts ask again.
 *
 * <p>A host behind the same port as the one it asks for gets its answer from that host, if the
 * bridge there passes the request on. One that asks again has not been answered: the bridge sends
 * all its frames to the switch (VEPA, IEEE 802.1Qbg), and so the switch has to.
 */
final class PendingRequests {
  /** Hosts ask each second (RFC 1122, section 2.3.2.1), and probe each two at most (RFC 5227). */
  static final long WAIT_NANOS = 3_000_000_000L;

  private static final int MAX_ADDRESSES = 4096;
  private static final int MAX_PER_ADDRESS = 32;

  /** Sends the answer to a request. */
  interface Answers {
    void send(String switchId, int port, int address, Ethernet request);
  }

  private static final class Pending {
    final String switchId;
    final int port;
    final Ethernet request;
    final long atNanos;
    final boolean isRepeated;

    Pending(String switchId, int port, Ethernet request, long atNanos, boolean isRepeated) {
      this.switchId = switchId;
      this.port = port;
      this.request = request;
      this.atNanos = atNanos;
      this.isRepeated = isRepeated;
    }

    boolean isFrom(String itsSwitch, int itsPort, Ethernet itsRequest) {
      return switchId.equals(itsSwitch)
          && port == itsPort
          && request.getSourceMAC().equals(itsRequest.getSourceMAC());
    }
  }

  private final Answers answers;
  private final Map<Integer, List<Pending>> byAddress =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, List<Pending>> eldest) {
          return size() > MAX_ADDRESSES;
        }
      };

  PendingRequests(Answers answers) {
    this.answers = answers;
  }

  /**
   * A host asks for an address.
   *
   * @return whether it has asked for it before and is still waiting
   */
  boolean add(String switchId, int port, int address, Ethernet request, long nowNanos) {
    List<Pending> pending = byAddress.computeIfAbsent(address, any -> new ArrayList<>());
    pending.removeIf(each -> nowNanos - each.atNanos >= WAIT_NANOS);
    boolean isRepeated = pending.removeIf(each -> each.isFrom(switchId, port, request));
    if (pending.size() < MAX_PER_ADDRESS) {
      pending.add(new Pending(switchId, port, request, nowNanos, isRepeated));
    }
    return isRepeated;
  }

  /** A host is known to be there: whoever asks for its address and is not the host is answered. */
  void found(Host host, long nowNanos) {
    List<Pending> pending = byAddress.get(host.address());
    if (pending == null) {
      return;
    }
    List<Pending> answered = new ArrayList<>();
    for (Pending each : pending) {
      boolean isItself = each.request.getSourceMAC().toLong() == host.mac();
      boolean isBeside = each.switchId.equals(host.switchId()) && each.port == host.port();
      if (!isItself && (!isBeside || each.isRepeated)) {
        answered.add(each);
      }
    }
    pending.removeAll(answered);
    pending.removeIf(each -> nowNanos - each.atNanos >= WAIT_NANOS);
    if (pending.isEmpty()) {
      byAddress.remove(host.address());
    }
    for (Pending each : answered) {
      if (nowNanos - each.atNanos < WAIT_NANOS) {
        answers.send(each.switchId, each.port, host.address(), each.request);
      }
    }
  }
}
