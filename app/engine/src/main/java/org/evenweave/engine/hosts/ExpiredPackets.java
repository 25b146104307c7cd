package org.evenweave.engine.hosts;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.config.TracerouteConfig;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.packets.ExpiredPacket;
import org.evenweave.engine.packets.PacketCounts;
import org.evenweave.engine.packets.TokenBucket;
import org.evenweave.engine.port.Gateway;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * Answers packets whose TTL is used up with ICMP time exceeded, as routers do, in the name of the
 * port by which they came: so hosts find by which links a flow goes. The answer leaves by the port
 * of the host that is to get it, whichever switch the packet was at, and so depends on no table.
 *
 * <p>Only hosts that are known get answers, below switches that are connected, and each switch
 * gives so many a second at most. Belongs to the loop.
 */
final class ExpiredPackets {
  /** From here on a prefix has no address of its own for all its hosts (RFC 3021). */
  private static final int POINT_TO_POINT_LENGTH = 31;

  private final Nib nib;
  private final SouthboundPort southbound;
  private final LongSupplier clockNanos;
  private final PacketCounts counts;

  /** By switch, for the configuration that they were made for. */
  private final Map<String, TokenBucket> limits = new HashMap<>();

  private TracerouteConfig limitsFor = TracerouteConfig.DEFAULT;

  /**
   * @param clockNanos the clock of {@link System#nanoTime}
   * @param counts gets how many were answered
   */
  ExpiredPackets(Nib nib, SouthboundPort southbound, LongSupplier clockNanos, PacketCounts counts) {
    this.nib = nib;
    this.southbound = southbound;
    this.clockNanos = clockNanos;
    this.counts = counts;
  }

  /** Answers a packet, unless its sender is not known or the switch has answered too many. */
  void received(String switchId, int inPort, ExpiredPacket packet) {
    EngineConfig config = nib.config();
    TracerouteConfig traceroute = config.traceroute();
    OptionalInt address = traceroute.address(config.intended().indexOf(switchId), inPort);
    Host source = nib.hostAt(packet.source());
    if (!traceroute.enabled()
        || address.isEmpty()
        || source == null
        || !nib.connected(source.switchId())
        || isBroadcast(switchId, packet.destination())) {
      counts.expiredUnanswered();
    } else if (!limit(switchId, traceroute).take(clockNanos.getAsLong())) {
      counts.expiredLimited();
    } else {
      byte[] answer = packet.timeExceeded(address.getAsInt(), Gateway.MAC, source.mac());
      southbound.sendPacket(source.switchId(), source.port(), answer);
      counts.expiredAnswered();
    }
  }

  /** Whether an address is that of all hosts of a prefix; only the prefix's own switch can tell. */
  private boolean isBroadcast(String switchId, int address) {
    Ipv4Prefix prefix = nib.prefixOf(switchId, address);
    return prefix != null
        && prefix.length() < POINT_TO_POINT_LENGTH
        && address == (prefix.address() | ~prefix.mask());
  }

  private TokenBucket limit(String switchId, TracerouteConfig traceroute) {
    if (!traceroute.equals(limitsFor)) {
      limits.clear();
      limitsFor = traceroute;
    }
    int perSecond = traceroute.maxPerSecond();
    return limits.computeIfAbsent(
        switchId, any -> new TokenBucket(perSecond, perSecond, clockNanos.getAsLong()));
  }
}
