package org.evenweave.engine.hosts;

import org.evenweave.engine.port.Gateway;
import org.onlab.packet.ARP;
import org.onlab.packet.Ethernet;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.MacAddress;

/** The frames that are sent in a gateway's name. */
final class GatewayFrames {
  static final MacAddress MAC = MacAddress.valueOf(Gateway.MAC);

  private GatewayFrames() {}

  /** The gateway asks everybody who has an address. */
  static Ethernet request(int gateway, int address) {
    return ARP.buildArpRequest(
        MAC.toBytes(),
        Ip4Address.valueOf(gateway).toOctets(),
        MacAddress.ZERO.toBytes(),
        Ip4Address.valueOf(address).toOctets(),
        MacAddress.BROADCAST.toBytes(),
        Ethernet.VLAN_UNTAGGED);
  }

  /** The gateway asks one host whether it still has its address. */
  static Ethernet request(int gateway, int address, long mac) {
    Ethernet request = request(gateway, address);
    request.setDestinationMACAddress(MacAddress.valueOf(mac));
    return request;
  }

  /** An ARP reply of the gateway for the address that a host requests. */
  static Ethernet reply(int address, Ethernet request) {
    return ARP.buildArpReply(Ip4Address.valueOf(address), MAC, request);
  }
}
