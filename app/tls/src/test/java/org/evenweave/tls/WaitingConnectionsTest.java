package org.evenweave.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WaitingConnectionsTest {
  private final WaitingConnections<String> waiting = new WaitingConnections<>();

  private static SocketAddress from(String host, int port) {
    try {
      return new InetSocketAddress(InetAddress.getByName(host), port);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private void add(String connection, String host) {
    waiting.add(connection, from(host, 1000 + waiting.size()));
  }

  @Test
  void theHostWithTheMostLosesItsOldest() {
    add("switch", "10.0.0.1");
    add("a", "10.0.0.9");
    add("b", "10.0.0.9");
    add("c", "10.0.0.9");
    assertEquals(Optional.of("a"), waiting.takeVictim());
    assertEquals(Optional.of("b"), waiting.takeVictim());
    // One each now: the host that came first.
    assertEquals(Optional.of("switch"), waiting.takeVictim());
    assertEquals(Optional.of("c"), waiting.takeVictim());
    assertEquals(Optional.empty(), waiting.takeVictim());
  }

  @Test
  void anIpv6HostIsItsNetworkHoweverManyAddressesItUses() {
    add("switch", "2001:db8::1");
    add("a", "2001:db8:0:1::1");
    add("b", "2001:db8:0:1::2");
    assertEquals(Optional.of("a"), waiting.takeVictim());
  }

  @Test
  void whatHasProvedItselfOrClosedIsNoVictim() {
    add("a", "10.0.0.9");
    add("b", "10.0.0.9");
    waiting.remove("a");
    waiting.remove("a");
    assertEquals(1, waiting.size());
    assertEquals(Optional.of("b"), waiting.takeVictim());
    waiting.remove("b");
    assertEquals(0, waiting.size());
  }
}
