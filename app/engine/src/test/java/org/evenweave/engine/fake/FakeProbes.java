package org.evenweave.engine.fake;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.evenweave.engine.port.TopologyListener;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.SwitchPort;

/** Link discovery of a fake network: a direction is lost after some rounds without a probe. */
final class FakeProbes {
  private static final int ROUNDS_TO_LOSS = 3;

  private final Fabric fabric;
  private final Map<Integer, Long> lastRoundOf = new TreeMap<>();
  private long round;

  FakeProbes(Fabric fabric) {
    this.fabric = fabric;
  }

  /** A probe passes an arc. */
  void pass(int arc, TopologyListener listener, long atNanos) {
    if (lastRoundOf.put(arc, round) == null) {
      listener.linkSeen(
          fabric.switchId(fabric.from(arc)),
          fabric.port(arc),
          fabric.switchId(fabric.to(arc)),
          fabric.port(arc ^ 1),
          atNanos);
    }
  }

  /** The links with an arc like that are not known any more. */
  void forget(IntPredicate arcs) {
    lastRoundOf.keySet().removeIf(arc -> arcs.test(arc) || arcs.test(arc ^ 1));
  }

  /**
   * @param passes whether a probe passes an arc
   * @param moving the switches for which the round counts; the others stand still
   */
  void nextRound(IntPredicate passes, Set<String> moving, TopologyListener listener, long atNanos) {
    for (int arc : Map.copyOf(lastRoundOf).keySet()) {
      if (!endsMove(arc, moving)) {
        lastRoundOf.merge(arc, 1L, Long::sum);
      } else if (round - lastRoundOf.get(arc) >= ROUNDS_TO_LOSS) {
        lastRoundOf.remove(arc);
        listener.linkLost(
            fabric.switchId(fabric.from(arc)),
            fabric.port(arc),
            fabric.switchId(fabric.to(arc)),
            fabric.port(arc ^ 1),
            atNanos);
      }
    }
    round++;
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      if (passes.test(arc) && endsMove(arc, moving)) {
        pass(arc, listener, atNanos);
      }
    }
    listener.probeRoundPassed(moving, atNanos);
  }

  private boolean endsMove(int arc, Set<String> moving) {
    return moving.contains(fabric.switchId(fabric.from(arc)))
        && moving.contains(fabric.switchId(fabric.to(arc)));
  }

  /**
   * Probes pass between two ports that no link of the network joins, both ways.
   *
   * @param end {@code switch/port}
   */
  static void relay(String end, String otherEnd, TopologyListener listener, long atNanos) {
    SwitchPort one = SwitchPort.parse(end);
    SwitchPort other = SwitchPort.parse(otherEnd);
    listener.linkSeen(one.switchId(), one.number(), other.switchId(), other.number(), atNanos);
    listener.linkSeen(other.switchId(), other.number(), one.switchId(), one.number(), atNanos);
  }
}
