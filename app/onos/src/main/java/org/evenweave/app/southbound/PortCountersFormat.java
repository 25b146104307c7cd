package org.evenweave.app.southbound;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.engine.port.PortCounters;

/** Ports' counters as messages between instances: of each port an array of numbers. */
final class PortCountersFormat {
  private PortCountersFormat() {}

  static List<Object> write(Map<Integer, PortCounters> counters) {
    // Not List.of: ONOS's serializer has to know the class.
    List<Object> message = new ArrayList<>();
    counters.forEach(
        (port, counter) ->
            message.add(
                new long[] {
                  port,
                  counter.rxPackets(),
                  counter.txPackets(),
                  counter.rxErrors(),
                  counter.txErrors(),
                  counter.txDropped(),
                  counter.ageNanos()
                }));
    return message;
  }

  static Map<Integer, PortCounters> read(List<Object> message) {
    Map<Integer, PortCounters> counters = new HashMap<>();
    for (Object each : message) {
      long[] port = (long[]) each;
      counters.put(
          (int) port[0], new PortCounters(port[1], port[2], port[3], port[4], port[5], port[6]));
    }
    return counters;
  }
}
