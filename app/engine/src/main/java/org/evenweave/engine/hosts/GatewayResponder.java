package org.evenweave.engine.hosts;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.packets.ExpiredPacket;
import org.evenweave.engine.packets.PacketCounts;
import org.evenweave.engine.packets.PortLog;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.onlab.packet.ARP;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.MacAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acts as the gateways towards hosts: answers their ARP requests, and sends ARP requests for
 * unknown hosts that packets are addressed to, and packets whose TTL is used up. Senders of packets
 * are learned as hosts.
 *
 * <p>All packets between hosts are routed, also under one switch: ARP for a neighbour is answered
 * with the gateway's MAC address, once the neighbour has been seen or has answered the gateway's
 * own request. Hosts' ARP is never passed on to others.
 */
public final class GatewayResponder {
  private static final Logger LOG = LoggerFactory.getLogger(GatewayResponder.class);

  /**
   * Pause between two ARP requests for the same address, as hosts do (RFC 1122, section 2.3.2.1).
   */
  private static final long ASK_AGAIN_NANOS = 1_000_000_000L;

  /** A port number no port has: OpenFlow counts from 1. */
  private static final int NO_PORT = 0;

  /** Addresses whose last request is remembered; more at a time are a scan, not traffic. */
  private static final int REMEMBERED_QUESTIONS = 4096;

  private final Nib nib;
  private final SouthboundPort southbound;
  private final EngineLoop loop;
  private final HostTracker hosts;
  private final PendingRequests pending;
  private final ExpiredPackets expired;
  private final Probes probes;
  private final PacketCounts counts = new PacketCounts();
  private final PortLog log;
  private final Map<Integer, Long> requestedAtNanos =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Long> eldest) {
          return size() > REMEMBERED_QUESTIONS;
        }
      };

  /** Filters IPv4 packets before they are handled as a host's. */
  public interface Probes {
    /** Returns whether a packet is the engine's own, and no host's. */
    boolean received(String switchId, int inPort, IPv4 packet);
  }

  /**
   * @param changed runs whenever a host is new, has moved or is gone
   */
  public GatewayResponder(
      Nib nib,
      SouthboundPort southbound,
      EngineLoop loop,
      EventLog events,
      Runnable changed,
      Probes probes) {
    this(nib, southbound, loop, events, changed, probes, new PortLog(LOG, loop::nanoTime));
  }

  /**
   * @param log takes one line of malformed frames a second and port
   */
  GatewayResponder(
      Nib nib,
      SouthboundPort southbound,
      EngineLoop loop,
      EventLog events,
      Runnable changed,
      Probes probes,
      PortLog log) {
    this.nib = nib;
    this.southbound = southbound;
    this.loop = loop;
    this.probes = probes;
    this.log = log;
    this.pending = new PendingRequests(this::reply);
    this.hosts =
        new HostTracker(
            nib,
            southbound,
            loop,
            new HostEvents(events, loop::nanoTime),
            changed,
            host -> pending.found(host, loop.nanoTime()));
    this.expired = new ExpiredPackets(nib, southbound, loop::nanoTime, counts);
  }

  /** Starts the verification of silent hosts. */
  public void start() {
    hosts.start();
  }

  public void close() {
    hosts.close();
  }

  /** A port of a switch that was connected has come up: the hosts known there are checked. */
  public void portUp(String switchId, int port) {
    hosts.portUp(new SwitchPort(switchId, port));
  }

  /** How many packets came. Safe for many threads. */
  public PacketCounts counts() {
    return counts;
  }

  /**
   * Handles a packet that a switch sent to the controller. A frame of whatever bytes throws
   * nothing: one that is malformed is counted and dropped.
   */
  public void packetIn(String switchId, int inPort, byte[] frame) {
    counts.handled();
    try {
      if (ExpiredPacket.isOne(frame)) {
        expired(switchId, inPort, frame);
        return;
      }
      Ethernet ethernet = Ethernet.deserializer().deserialize(frame, 0, frame.length);
      if (ethernet.getVlanID() != Ethernet.VLAN_UNTAGGED || ethernet.getSourceMAC().isMulticast()) {
        return; // As the switch does itself, once it has its rules.
      }
      if (ethernet.getEtherType() == Ethernet.TYPE_RARP) {
        rarp(switchId, inPort, frame);
      } else if (ethernet.getPayload() instanceof ARP) {
        arp(switchId, inPort, ethernet, (ARP) ethernet.getPayload());
      } else if (ethernet.getPayload() instanceof IPv4) {
        ipv4(switchId, inPort, ethernet, (IPv4) ethernet.getPayload());
      }
    } catch (DeserializationException | RuntimeException e) {
      // The library's parsers of inner packets do not check every length.
      counts.malformed(switchId, inPort);
      log.warn(switchId, inPort, "a malformed packet is dropped: " + e);
    }
  }

  private void arp(String switchId, int inPort, Ethernet ethernet, ARP arp)
      throws DeserializationException {
    if (arp.getProtocolType() != ARP.PROTO_TYPE_IP
        || arp.getHardwareType() != ARP.HW_TYPE_ETHERNET) {
      return;
    }
    if (arp.getHardwareAddressLength() != MacAddress.MAC_ADDRESS_LENGTH
        || arp.getProtocolAddressLength() != Ip4Address.BYTE_LENGTH) {
      throw new DeserializationException(
          "ARP for Ethernet and IPv4 with addresses of "
              + Byte.toUnsignedInt(arp.getHardwareAddressLength())
              + " and "
              + Byte.toUnsignedInt(arp.getProtocolAddressLength())
              + " bytes instead of 6 and 4");
    }
    int sender = Ip4Address.valueOf(arp.getSenderProtocolAddress()).toInt();
    int target = Ip4Address.valueOf(arp.getTargetProtocolAddress()).toInt();
    MacAddress mac = MacAddress.valueOf(arp.getSenderHardwareAddress());
    boolean isRequest = arp.getOpCode() == ARP.OP_REQUEST;
    boolean isProbe = isRequest && sender == 0;
    boolean isAccepted =
        isProbe
            ? !mac.isMulticast() && hosts.probed(new Host(target, mac.toLong(), switchId, inPort))
            : learn(switchId, inPort, sender, mac);
    Ipv4Prefix prefix = nib.prefixOf(switchId, target);
    if (!isRequest || sender == target || prefix == null) {
      return;
    }
    if (target == prefix.gateway()) {
      reply(switchId, inPort, target, ethernet);
    } else if (nib.mayHaveHost(switchId, target)) {
      boolean isRepeated = pending.add(switchId, inPort, target, ethernet, loop.nanoTime());
      neighbour(new Neighbour(switchId, inPort, target, isProbe, isRepeated), isAccepted);
    }
  }

  /** A host's ARP request for an address in its prefix that is not the gateway's. */
  private static final class Neighbour {
    final String switchId;
    final int inPort;
    final int address;
    final boolean isProbe;

    /** Whether the host has asked before, and was not answered. */
    final boolean isRepeated;

    Neighbour(String switchId, int inPort, int address, boolean isProbe, boolean isRepeated) {
      this.switchId = switchId;
      this.inPort = inPort;
      this.address = address;
      this.isProbe = isProbe;
      this.isRepeated = isRepeated;
    }
  }

  /**
   * @param isAccepted whether nothing contradicts what the sender says of itself
   */
  private void neighbour(Neighbour asked, boolean isAccepted) {
    Host known = nib.hostAt(asked.address);
    if (known == null) {
      if (isAccepted) {
        boolean isBehindAnyPort = asked.isRepeated && !asked.isProbe;
        request(asked.switchId, isBehindAnyPort ? NO_PORT : asked.inPort, asked.address);
      }
    } else if (!asked.isProbe && hosts.isChecked(known)) {
      pending.found(known, loop.nanoTime());
    } else if (!asked.isProbe) {
      hosts.check(known);
    }
  }

  private void reply(String switchId, int port, int address, Ethernet request) {
    southbound.sendPacket(switchId, port, GatewayFrames.reply(address, request).serialize());
  }

  /** QEMU and others announce a guest that has migrated by a request for its own address. */
  private void rarp(String switchId, int inPort, byte[] frame) throws DeserializationException {
    if (frame.length < Ethernet.ETHERNET_HEADER_LENGTH + ARP.INITIAL_HEADER_LENGTH) {
      throw new DeserializationException("RARP of " + frame.length + " bytes");
    }
    ARP rarp =
        ARP.deserializer()
            .deserialize(
                frame,
                Ethernet.ETHERNET_HEADER_LENGTH,
                frame.length - Ethernet.ETHERNET_HEADER_LENGTH);
    if (rarp.getHardwareType() == ARP.HW_TYPE_ETHERNET
        && rarp.getHardwareAddressLength() == MacAddress.MAC_ADDRESS_LENGTH) {
      long mac = MacAddress.valueOf(rarp.getSenderHardwareAddress()).toLong();
      hosts.announced(mac, switchId, inPort);
    }
  }

  private void ipv4(String switchId, int inPort, Ethernet ethernet, IPv4 packet) {
    if (probes.received(switchId, inPort, packet)
        || !ethernet.getDestinationMAC().equals(GatewayFrames.MAC)
        || packet.getSourceAddress() == packet.getDestinationAddress()) {
      return;
    }
    learn(switchId, inPort, packet.getSourceAddress(), ethernet.getSourceMAC());
    if (nib.mayHaveHost(switchId, packet.getDestinationAddress())
        && mayAsk(packet.getDestinationAddress())) {
      request(switchId, NO_PORT, packet.getDestinationAddress());
    }
  }

  /** Not for the library's parsers: they refuse payloads that are no business of a router. */
  private void expired(String switchId, int inPort, byte[] frame) {
    Optional<ExpiredPacket> answerable = ExpiredPacket.answerable(frame);
    if (answerable.isEmpty()) {
      counts.expiredUnanswered();
      return;
    }
    ExpiredPacket packet = answerable.get();
    learn(switchId, inPort, packet.source(), MacAddress.valueOf(packet.sourceMac()));
    Ipv4Prefix prefix = nib.prefixOf(switchId, packet.destination());
    if (prefix == null || prefix.gateway() != packet.destination()) {
      expired.received(switchId, inPort, packet);
    }
  }

  /** Limits ARP requests: packets to an unused address must not cause a broadcast each. */
  private boolean mayAsk(int address) {
    long nowNanos = loop.nanoTime();
    Long before = requestedAtNanos.get(address);
    if (before != null && nowNanos - before < ASK_AGAIN_NANOS) {
      return false;
    }
    requestedAtNanos.put(address, nowNanos);
    return true;
  }

  /** Sends the gateway's request for an address out of every edge port but one. */
  private void request(String switchId, int exceptPort, int address) {
    int gateway = nib.prefixOf(switchId, address).gateway();
    byte[] frame = GatewayFrames.request(gateway, address).serialize();
    for (int port : nib.edgePorts(switchId)) {
      if (port != exceptPort) {
        southbound.sendPacket(switchId, port, frame);
      }
    }
  }

  /** Returns whether the sender may have the address it claims: nothing known contradicts it. */
  private boolean learn(String switchId, int inPort, int address, MacAddress mac) {
    return !mac.isMulticast() && hosts.seen(new Host(address, mac.toLong(), switchId, inPort));
  }
}
