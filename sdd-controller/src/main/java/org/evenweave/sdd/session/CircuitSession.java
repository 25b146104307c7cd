package org.evenweave.sdd.session;

import io.netty.channel.Channel;
import java.util.Arrays;
import org.evenweave.sdd.protocol.ControllerMessages;

/** The circuit switch's session. */
public final class CircuitSession extends Client implements CircuitSwitch {
  private final int[] portOf;
  private final int ports;
  private volatile CircuitTotals totals = CircuitTotals.NONE;

  /**
   * @param portOf each host's port
   */
  CircuitSession(Channel channel, String name, ClientLog log, int[] portOf) {
    super(name, channel, log);
    this.portOf = portOf.clone();
    this.ports = Arrays.stream(portOf).max().orElse(0) + 1;
  }

  /** What the switch counted in this session. */
  public CircuitTotals totals() {
    return totals;
  }

  void update(CircuitTotals newTotals) {
    totals = newTotals;
  }

  @Override
  public void configure(int[] destinationOf, long atNs, long nightNs) {
    int[] outputOf = new int[ports];
    Arrays.fill(outputOf, -1);
    for (int source = 0; source < destinationOf.length; source++) {
      if (destinationOf[source] >= 0) {
        outputOf[portOf[source]] = portOf[destinationOf[source]];
      }
    }
    request(id -> ControllerMessages.circuitConfigure(id, atNs, nightNs, outputOf))
        .whenComplete(
            (done, failure) -> {
              if (failure != null && isUp()) {
                log()
                    .warn("circuit switch {} was not configured: {}", name(), failure.getMessage());
              }
            });
  }
}
