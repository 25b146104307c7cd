package org.evenweave.engine.status;

import java.util.Locale;
import java.util.Map;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.wcmp.fabric.SwitchPort;

/** Records an event when groups begin to leave a port out, and when they use it again. */
final class PortsLeftOut {
  private final EventLog events;
  private final EngineLoop loop;
  private Map<SwitchPort, Double> leftOut = Map.of();

  PortsLeftOut(EventLog events, EngineLoop loop) {
    this.events = events;
    this.loop = loop;
  }

  /**
   * @param now the ports that the tables wanted now leave out, and the largest share that each is
   *     of a group's capacity
   */
  void report(Map<SwitchPort, Double> now) {
    Map<SwitchPort, Double> before = leftOut;
    leftOut = now;
    now.forEach(
        (port, share) -> {
          if (!before.containsKey(port)) {
            String unused = String.format(Locale.ROOT, "%.2g %%", 100 * share);
            add(
                Event.Kind.PORT_LEFT_OUT,
                port
                    + " gets no packets: with its "
                    + unused
                    + " of the capacity, one table entry"
                    + " would exceed its share");
          }
        });
    before
        .keySet()
        .forEach(
            port -> {
              if (!now.containsKey(port)) {
                add(Event.Kind.PORT_NOT_LEFT_OUT, port.toString());
              }
            });
  }

  private void add(Event.Kind kind, String subject) {
    events.add(kind, subject, loop.nanoTime());
  }
}
