package org.evenweave.engine.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;

class TracerouteConfigTest {
  private static String address(TracerouteConfig config, int number, int port) {
    OptionalInt address = config.address(number, port);
    return address.isPresent() ? Ipv4Prefix.format(address.getAsInt()) : "none";
  }

  private static TracerouteConfig with(String prefix, int portBits) {
    return new TracerouteConfig(true, Ipv4Prefix.parse(prefix), portBits, 100);
  }

  @Test
  void anAddressIsThePrefixThenTheSwitchThenThePort() {
    assertEquals("100.64.0.1", address(TracerouteConfig.DEFAULT, 0, 1));
    assertEquals("100.64.1.3", address(TracerouteConfig.DEFAULT, 1, 3));
    assertEquals("100.127.255.255", address(TracerouteConfig.DEFAULT, 16_383, 255));
    assertEquals("10.9.0.133", address(with("10.9.0.0/16", 6), 2, 5));
  }

  @Test
  void whatDoesNotFitHasNone() {
    assertEquals("none", address(TracerouteConfig.DEFAULT, 16_384, 1));
    assertEquals("none", address(TracerouteConfig.DEFAULT, 0, 256));
    assertEquals("none", address(TracerouteConfig.DEFAULT, 0, 0));
    assertEquals("none", address(TracerouteConfig.DEFAULT, -1, 1), "a switch of no file");
    assertEquals("10.9.0.255", address(with("10.9.0.0/24", 8), 0, 255));
    assertEquals("none", address(with("10.9.0.0/24", 8), 1, 1), "room for one switch");
  }

  @Test
  void everyPortHasAnAddressOfItsOwnInThePrefix() {
    TracerouteConfig config = with("10.9.0.0/20", 5);
    Set<Integer> addresses = new TreeSet<>();
    for (int number = 0; number < 128; number++) {
      for (int port = 1; port < 32; port++) {
        int address = config.address(number, port).orElseThrow();
        assertTrue(config.prefix().contains(address));
        assertTrue(addresses.add(address));
      }
    }
  }

  @Test
  void aPrefixHasRoomForOneSwitchAtLeast() {
    assertThrows(IllegalArgumentException.class, () -> with("10.9.0.0/25", 8));
  }
}
