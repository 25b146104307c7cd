package org.evenweave.engine.hosts;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.evenweave.engine.forwarding.Gateway;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.onlab.packet.ARP;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.MacAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Speaks to hosts in the gateways' name: answers their ARP, and asks by ARP for hosts that packets
 * come for and that are not known yet. Whoever sends is learned on the way.
 *
 * <p>All packets between hosts are routed, also under one switch: ARP for a neighbour that is known
 * is answered with the gateway's MAC address; for one that is not, the question goes to the other
 * edge ports of the switch, and the answer back to who asked.
 */
public final class GatewayResponder {
  private static final Logger LOG = LoggerFactory.getLogger(GatewayResponder.class);
  private static final MacAddress GATEWAY_MAC = MacAddress.valueOf(Gateway.MAC);

  /** Pause between two questions for the same address, as hosts do (RFC 1122, section 2.3.2.1). */
  private static final long ASK_AGAIN_NANOS = 1_000_000_000L;

  /** Addresses whose last question is remembered; more at a time are a scan, not traffic. */
  private static final int REMEMBERED_QUESTIONS = 4096;

  private final Nib nib;
  private final SouthboundPort southbound;
  private final Consumer<Host> learned;
  private final LongSupplier clockNanos;
  private final Map<Integer, Long> askedAtNanos =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Long> eldest) {
          return size() > REMEMBERED_QUESTIONS;
        }
      };

  /**
   * @param learned told of every host that is new or has moved
   * @param clockNanos the clock of {@link System#nanoTime}
   */
  public GatewayResponder(
      Nib nib, SouthboundPort southbound, Consumer<Host> learned, LongSupplier clockNanos) {
    this.nib = nib;
    this.southbound = southbound;
    this.learned = learned;
    this.clockNanos = clockNanos;
  }

  /** Handles a packet that a switch sent to the controller. What cannot be parsed is dropped. */
  public void packetIn(String switchId, int inPort, byte[] frame) {
    Ethernet ethernet = parse(switchId, inPort, frame);
    if (ethernet == null) {
      return;
    }
    if (ethernet.getPayload() instanceof ARP) {
      arp(switchId, inPort, ethernet, (ARP) ethernet.getPayload());
    } else if (ethernet.getPayload() instanceof IPv4) {
      ipv4(switchId, inPort, ethernet, (IPv4) ethernet.getPayload());
    }
  }

  /** The frame, or null. The library's parsers of inner packets do not check every length. */
  private static Ethernet parse(String switchId, int inPort, byte[] frame) {
    try {
      return Ethernet.deserializer().deserialize(frame, 0, frame.length);
    } catch (DeserializationException | RuntimeException e) {
      LOG.debug("{}/{}: a packet that cannot be parsed: {}", switchId, inPort, e.toString());
      return null;
    }
  }

  private void arp(String switchId, int inPort, Ethernet ethernet, ARP arp) {
    if (arp.getProtocolType() != ARP.PROTO_TYPE_IP
        || arp.getHardwareType() != ARP.HW_TYPE_ETHERNET) {
      return;
    }
    int sender = Ip4Address.valueOf(arp.getSenderProtocolAddress()).toInt();
    int target = Ip4Address.valueOf(arp.getTargetProtocolAddress()).toInt();
    learn(switchId, inPort, sender, MacAddress.valueOf(arp.getSenderHardwareAddress()));
    Ipv4Prefix prefix = nib.prefixOf(switchId, target);
    if (prefix == null || sender == target) {
      return;
    }
    Host known = nib.hostAt(target);
    if (arp.getOpCode() == ARP.OP_REPLY) {
      if (known != null) {
        southbound.sendPacket(switchId, known.port(), ethernet.serialize());
      }
    } else if (target == prefix.gateway() || (known != null && known.port() != inPort)) {
      Ethernet reply = ARP.buildArpReply(Ip4Address.valueOf(target), GATEWAY_MAC, ethernet);
      southbound.sendPacket(switchId, inPort, reply.serialize());
    } else if (known == null) {
      flood(switchId, inPort, ethernet);
    }
  }

  private void ipv4(String switchId, int inPort, Ethernet ethernet, IPv4 packet) {
    learn(switchId, inPort, packet.getSourceAddress(), ethernet.getSourceMAC());
    Ipv4Prefix prefix = nib.prefixOf(switchId, packet.getDestinationAddress());
    if (prefix == null
        || prefix.gateway() == packet.getDestinationAddress()
        || !mayAsk(packet.getDestinationAddress())) {
      return;
    }
    Ethernet question =
        ARP.buildArpRequest(
            GATEWAY_MAC.toBytes(),
            Ip4Address.valueOf(prefix.gateway()).toOctets(),
            MacAddress.ZERO.toBytes(),
            Ip4Address.valueOf(packet.getDestinationAddress()).toOctets(),
            MacAddress.BROADCAST.toBytes(),
            Ethernet.VLAN_UNTAGGED);
    flood(switchId, inPort, question);
  }

  /** Traffic to an address that nobody has must not become as many broadcasts. */
  private boolean mayAsk(int address) {
    long nowNanos = clockNanos.getAsLong();
    Long before = askedAtNanos.get(address);
    if (before != null && nowNanos - before < ASK_AGAIN_NANOS) {
      return false;
    }
    askedAtNanos.put(address, nowNanos);
    return true;
  }

  /** Out of every edge port but the one it came from. */
  private void flood(String switchId, int inPort, Ethernet ethernet) {
    byte[] frame = ethernet.serialize();
    for (int port : nib.edgePorts(switchId)) {
      if (port != inPort) {
        southbound.sendPacket(switchId, port, frame);
      }
    }
  }

  private void learn(String switchId, int inPort, int address, MacAddress mac) {
    Host host = new Host(address, mac.toLong(), switchId, inPort);
    if (!mac.isMulticast() && nib.hostSeen(host)) {
      learned.accept(host);
    }
  }
}
