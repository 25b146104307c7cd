package org.evenweave.wcmp.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Ipv4PrefixTest {
  @Property
  void parsesWhatItPrints(@ForAll int address, @ForAll @IntRange(max = 32) int length) {
    int network = length == 0 ? 0 : address & -1 << (32 - length);
    Ipv4Prefix prefix = Ipv4Prefix.of(network, length);
    assertEquals(prefix, Ipv4Prefix.parse(prefix.toString()));
    assertTrue(prefix.contains(address));
    assertFalse(length > 0 && prefix.contains(address ^ 1 << (32 - length)));
  }

  @Test
  void theGatewayIsTheFirstAddressAfterTheNetworks() {
    assertEquals("10.0.2.1", Ipv4Prefix.format(Ipv4Prefix.parse("10.0.2.0/24").gateway()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10.0.0.0",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.1/24",
        "256.0.0.0/8",
        "10.0.0/24",
        "10.0.0.0/24 ",
        "a.b.c.d/8",
        "10.0.0.0/024"
      })
  void refusesWhatIsNoPrefix(String text) {
    assertThrows(IllegalArgumentException.class, () -> Ipv4Prefix.parse(text));
  }
}
