package org.evenweave.sdd.loop;

import java.util.ArrayList;
import java.util.List;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.protocol.PacketSlotBatch;
import org.evenweave.sdd.schedule.PacketPlan;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.session.Directory;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.Sessions;
import org.evenweave.sdd.trigger.HeldPairs;

/**
 * Sends hosts the packet slots of a week, in which traffic that waits for circuits may use the
 * packet switch: one message per host and week, in advance in both loops. Without hybrid it sends
 * nothing.
 */
final class PacketSlots {
  private final Sessions sessions;
  private final Directory directory;
  private final long guardNs;

  /** Null: what waits for circuits has to wait. */
  private final PacketPlan plan;

  private final HeldPairs held;
  private final PacketSlotBatch slots = new PacketSlotBatch();

  /** Of the week announced last; immutable. */
  private volatile List<PacketRate> rates = List.of();

  /**
   * @param held pairs that get none for now, as they get no circuits
   */
  PacketSlots(SddConfig config, Sessions sessions, HeldPairs held) {
    this.sessions = sessions;
    this.directory = config.directory();
    this.held = held;
    this.guardNs = config.guardNs();
    this.plan = config.packetPlan();
  }

  /**
   * Sends each host its packet slots of a week, which may already be in transit to the hosts.
   *
   * @param demand what it was planned for
   */
  void announce(Week week, Observed demand) {
    if (plan == null) {
      return;
    }
    plan.of(week.schedule(), demand);
    rates = rates(week.schedule(), demand.classes());
    for (int number = 0; number < week.schedule().hosts(); number++) {
      HostSession host = sessions.host(number);
      if (host == null || !host.takesPacketSlots() || !host.keepsTime(guardNs)) {
        continue;
      }
      slots.clear();
      int source = number;
      plan.visitSlots(
          source,
          week.startNs(),
          (circuitClass, destination, startNs, endNs, rateBps) -> {
            if (!held.isHeld(source, destination)) {
              add(directory.queueTo(destination, circuitClass), startNs, endNs, rateBps);
            }
          });
      host.setPacketSlots(week.period(), slots)
          .whenComplete(
              (done, failure) -> {
                if (failure != null && host.isUp()) {
                  host.log().warn("packet slots were refused: {}", failure.getMessage());
                }
              });
    }
  }

  private List<PacketRate> rates(Schedule week, int classes) {
    List<PacketRate> found = new ArrayList<>();
    for (int source = 0; source < week.hosts(); source++) {
      for (int to = 0; to < week.hosts() && week.remainder().fromSource(source) > 0; to++) {
        for (int c = 0; c < classes; c++) {
          long bytes = plan.remainderBytes(c, source, to);
          if (bytes > 0) {
            found.add(new PacketRate(c, source, to, bytes, plan.rateBps(c, source, to)));
          }
        }
      }
    }
    return List.copyOf(found);
  }

  /** What has a remainder in the week announced last; from any thread. */
  List<PacketRate> rates() {
    return rates;
  }

  /** What a message does not hold waits for its circuit. */
  private void add(int queue, long startNs, long endNs, long rateBps) {
    if (!slots.isFull()) {
      slots.add(queue, startNs, endNs, rateBps);
    }
  }
}
