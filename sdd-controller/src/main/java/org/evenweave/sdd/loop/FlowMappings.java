package org.evenweave.sdd.loop;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.evenweave.sdd.protocol.FlowMatch;

/**
 * The mapping of flows to queues by destination host: the same at all hosts, except that a host
 * maps nothing to its own addresses. No flow is mapped to two destinations. Immutable.
 */
final class FlowMappings {
  /** By destination; behind the last host, what does not name one. */
  private final List<Map<FlowMatch, Integer>> queuesTo;

  private FlowMappings(List<Map<FlowMatch, Integer>> queuesTo) {
    this.queuesTo = queuesTo;
  }

  /** Nothing is mapped. */
  static FlowMappings none(int hosts) {
    return new FlowMappings(Collections.nCopies(hosts + 1, Map.of()));
  }

  /**
   * The same, except for a destination.
   *
   * @param destination a host's number; the number of hosts: for whatever destination
   * @param queues must not change any more
   */
  FlowMappings with(int destination, Map<FlowMatch, Integer> queues) {
    if (queuesTo.get(destination).equals(queues)) {
      return this;
    }
    List<Map<FlowMatch, Integer>> next = new ArrayList<>(queuesTo);
    next.set(destination, queues);
    return new FlowMappings(next);
  }

  /** Names what a host has mapped: what does not name a destination comes first. */
  void at(int host, BiConsumer<FlowMatch, Integer> mapped) {
    int hosts = queuesTo.size() - 1;
    queuesTo.get(hosts).forEach(mapped);
    for (int destination = 0; destination < hosts; destination++) {
      if (destination != host) {
        queuesTo.get(destination).forEach(mapped);
      }
    }
  }

  /** What hosts have to change when others take the place of these. */
  Change to(FlowMappings next) {
    return new Change(this, next);
  }

  /** Between two of them; costs what differs, whatever the number of hosts. */
  static final class Change {
    /** By destination: flows that are new, or have another queue. */
    private final Map<Integer, Map<FlowMatch, Integer>> mapped = new LinkedHashMap<>();

    /** By destination: flows that are no longer mapped for it. */
    private final Map<Integer, List<FlowMatch>> gone = new LinkedHashMap<>();

    /** For which destination a flow is mapped now. */
    private final Map<FlowMatch, Integer> destinationOf = new HashMap<>();

    private Change(FlowMappings before, FlowMappings next) {
      for (int destination = 0; destination < before.queuesTo.size(); destination++) {
        Map<FlowMatch, Integer> old = before.queuesTo.get(destination);
        Map<FlowMatch, Integer> now = next.queuesTo.get(destination);
        // Most are the same object.
        if (old != now) {
          compare(destination, old, now);
        }
      }
    }

    private void compare(
        int destination, Map<FlowMatch, Integer> old, Map<FlowMatch, Integer> now) {
      Map<FlowMatch, Integer> different = new LinkedHashMap<>();
      now.forEach(
          (flow, queue) -> {
            if (!queue.equals(old.get(flow))) {
              different.put(flow, queue);
              destinationOf.put(flow, destination);
            }
          });
      mapped.put(destination, different);
      List<FlowMatch> left = new ArrayList<>(old.keySet());
      left.removeAll(now.keySet());
      gone.put(destination, left);
    }

    /**
     * Names what a host has to map, and then what it has to unmap: so each flow has a queue
     * throughout, also one whose address is another host's now.
     */
    void at(int host, BiConsumer<FlowMatch, Integer> map, Consumer<FlowMatch> unmap) {
      mapped.forEach(
          (destination, flows) -> {
            if (destination != host) {
              flows.forEach(map);
            }
          });
      gone.forEach(
          (destination, flows) -> {
            if (destination != host) {
              flows.stream().filter(flow -> !isMapped(host, flow)).forEach(unmap);
            }
          });
    }

    private boolean isMapped(int host, FlowMatch flow) {
      Integer destination = destinationOf.get(flow);
      return destination != null && destination != host;
    }
  }
}
