package org.evenweave.engine.links;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import org.evenweave.engine.port.PortCounters;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.junit.jupiter.api.Test;

class PortRatesTest {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final SwitchPort PORT = new SwitchPort("leaf", 5);

  private final PortRates rates = new PortRates();
  private long nowNanos;

  private Set<SwitchPort> afterTwoSeconds(long received, long sent) {
    nowNanos += 2 * SECOND_NANOS;
    PortCounters counters = new PortCounters(received, sent, 0, 0, 0, PortCounters.UNSUPPORTED);
    rates.add(PORT, new PortLook(counters, nowNanos, nowNanos));
    return rates.busy();
  }

  @Test
  void aPortIsBusyWhileItSendsMuchAndReceives() {
    assertEquals(Set.of(), afterTwoSeconds(10, 1000));
    assertEquals(Set.of(PORT), afterTwoSeconds(11, 1200));
    assertEquals(Set.of(), afterTwoSeconds(500, 1399), "less than 100 a second");
    assertEquals(Set.of(), afterTwoSeconds(500, 9000), "nobody there");
    assertEquals(Set.of(PORT), afterTwoSeconds(501, 10_000));
    assertEquals(Set.of(), afterTwoSeconds(PortCounters.UNSUPPORTED, PortCounters.UNSUPPORTED));
  }
}
