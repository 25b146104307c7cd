package org.evenweave.engine.fake;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.RuleCount;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * A channel to a fake network whose hosts send at constant rates: every rule on the way counts its
 * part, as the groups share it out at the end of the time that it counts.
 */
public final class FakeCounters implements SouthboundPort {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Fabric fabric;
  private final FakeNetwork network;
  private final SouthboundPort channel;
  private final VirtualLoop loop;

  /** Bytes per second by prefix, by the switch of the hosts that send. */
  private final Map<String, Map<Ipv4Prefix, Double>> sent = new HashMap<>();

  private final Map<String, Map<Ipv4Prefix, Double>> counted = new HashMap<>();
  private final Set<String> unanswered = new HashSet<>();
  private long countedToNanos;
  private int requests;

  public FakeCounters(Fabric fabric, FakeNetwork network, VirtualLoop loop) {
    this.fabric = fabric;
    this.network = network;
    this.channel = network.channel();
    this.loop = loop;
  }

  /** Hosts under a switch send to a prefix at this rate from now on. */
  public void send(String switchId, Ipv4Prefix prefix, double bytesPerSecond) {
    count();
    sent.computeIfAbsent(switchId, any -> new HashMap<>()).put(prefix, bytesPerSecond);
  }

  /** Requests to a switch are never answered from now on. */
  public void leaveUnanswered(String switchId) {
    unanswered.add(switchId);
  }

  /** How many requests for counters there were. */
  public int requests() {
    return requests;
  }

  @Override
  public CompletableFuture<Collection<RuleCount>> countRoutes(String switchId) {
    requests++;
    count();
    CompletableFuture<Collection<RuleCount>> done = new CompletableFuture<>();
    if (!network.isConnected(switchId)) {
      done.completeExceptionally(new SouthboundException(switchId, "is not connected"));
    } else if (!unanswered.contains(switchId)) {
      Map<Ipv4Prefix, Double> bytes = counted.getOrDefault(switchId, Map.of());
      List<RuleCount> counts = new ArrayList<>();
      network
          .tables(switchId)
          .forEachRoute(
              rule ->
                  counts.add(
                      new RuleCount(
                          rule.prefix(),
                          Math.round(bytes.getOrDefault(rule.prefix(), 0.0)),
                          loop.nanoTime())));
      done.complete(counts);
    }
    return done;
  }

  private void count() {
    double seconds = (loop.nanoTime() - countedToNanos) / NANOS_PER_SECOND;
    countedToNanos = loop.nanoTime();
    sent.forEach((id, rates) -> rates.forEach((to, rate) -> pass(id, to, rate * seconds)));
  }

  private void pass(String switchId, Ipv4Prefix prefix, double bytes) {
    FlowRule rule = network.tables(switchId).routeTo(prefix);
    if (rule == null || bytes == 0) {
      return;
    }
    counted.computeIfAbsent(switchId, any -> new HashMap<>()).merge(prefix, bytes, Double::sum);
    SelectGroup group =
        rule.action() == FlowRule.Action.ROUTE_TO_GROUP
            ? network.tables(switchId).group(rule.groupId())
            : null;
    int s = fabric.indexOf(switchId);
    for (int i = 0; i < fabric.outDegree(s); i++) {
      int arc = fabric.outArc(s, i);
      int port = fabric.port(arc);
      double share =
          group != null
              ? (double) group.weightOf(port) / group.totalWeight()
              : port == rule.outPort() ? 1 : 0;
      pass(fabric.switchId(fabric.to(arc)), prefix, bytes * share);
    }
  }

  @Override
  public CompletableFuture<Void> apply(String switchId, List<SwitchOperation> operations) {
    return channel.apply(switchId, operations);
  }

  @Override
  public CompletableFuture<SwitchTables> read(String switchId) {
    return channel.read(switchId);
  }

  @Override
  public void sendPacket(String switchId, int outPort, byte[] frame) {
    channel.sendPacket(switchId, outPort, frame);
  }
}
