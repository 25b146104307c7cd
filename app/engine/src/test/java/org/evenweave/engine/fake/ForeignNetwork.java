package org.evenweave.engine.fake;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.foreign.ForeignTables;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchReading;
import org.evenweave.wcmp.fabric.Fabric;

/** A network whose switches hold rules of others too, as far as reading them goes. */
public final class ForeignNetwork extends FakeNetwork {
  private final Map<String, List<ForeignRule>> foreign = new TreeMap<>();
  private boolean removes = true;
  private int readings;

  public ForeignNetwork(Fabric fabric, VirtualLoop loop, long seed) {
    super(fabric, loop, seed);
  }

  /** Engines may use the network itself: these tests have one at a time. */
  @Override
  public SouthboundPort channel() {
    return this;
  }

  /** Somebody adds a rule. */
  public void add(String switchId, ForeignRule rule) {
    foreign.computeIfAbsent(switchId, id -> new ArrayList<>()).add(rule);
  }

  /** Somebody takes all of these rules away. */
  public void clear(String switchId) {
    foreign.remove(switchId);
  }

  /** The rules of others. */
  public List<ForeignRule> rules(String switchId) {
    return foreign.getOrDefault(switchId, List.of());
  }

  /** As a runtime that deletes no rule of others. */
  public void removeNothing() {
    removes = false;
  }

  /** How often switches were read. What others hold is that of the request. */
  public int readings() {
    return readings;
  }

  @Override
  public CompletableFuture<SwitchReading> readAll(String switchId) {
    readings++;
    List<ForeignRule> rules = List.copyOf(rules(switchId));
    return read(switchId)
        .thenApply(own -> new SwitchReading(own, new ForeignTables(rules, List.of(), 0)));
  }

  @Override
  public boolean removesForeign() {
    return removes;
  }

  @Override
  public CompletableFuture<Void> removeForeign(String switchId, List<ForeignRule> rules) {
    foreign.get(switchId).removeAll(rules);
    return CompletableFuture.completedFuture(null);
  }
}
