package org.evenweave.tls;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/** Which host a connection comes from, for limits that hold for each host. */
final class RemoteHost {
  private static final int IPV6_NETWORK_BYTES = 8;

  private RemoteHost() {}

  /**
   * A key that is the same for all connections of one host. An IPv6 host is known by the first 64
   * bits of its address, since it chooses the others (RFC 8981).
   */
  static Object of(SocketAddress from) {
    if (!(from instanceof InetSocketAddress)) {
      return String.valueOf(from);
    }
    InetAddress address = ((InetSocketAddress) from).getAddress();
    if (address instanceof Inet6Address) {
      return ByteBuffer.wrap(address.getAddress(), 0, IPV6_NETWORK_BYTES).getLong();
    }
    return String.valueOf(address);
  }
}
