package org.evenweave.engine.demand;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.port.RuleCount;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.runtime.EngineLoop;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * Measures the traffic matrix: once a period the counters of the routing rules of every switch with
 * prefixes are read, and {@link RuleRates} makes smoothed rates of that. A switch that has not
 * answered yet is not asked again; one that cannot be asked keeps its rates, and their age shows.
 *
 * <p>A switch's rules also count what it only passes on, where shortest paths lead through switches
 * with hosts. So the switches before it are read too, and what they {@linkplain Handover hand to
 * it} is subtracted, by the weights of their groups: exact where all of it goes one way, elsewhere
 * as near as flows hash.
 *
 * <p>Belongs to the engine's loop, except for methods that are documented as safe for many threads.
 */
public final class TrafficMeter {
  /** Rates follow a change by 63 % in so many periods. */
  public static final int TIME_CONSTANT_PERIODS = 6;

  private static final int NEVER = 0;

  private static final long SECOND_NANOS = 1_000_000_000L;

  private final EngineLoop loop;
  private final Nib nib;
  private final Supplier<Map<String, SwitchTables>> installed;
  private final Function<String, CompletableFuture<Collection<RuleCount>>> count;
  private final Map<String, RuleRates> rates = new HashMap<>();
  private final Set<String> asked = new HashSet<>();

  /** The switches with prefixes, when they were asked last. */
  private Set<String> sources = Set.of();

  /** What was handed over then, by switch; those that hand nothing over are left out. */
  private Map<String, List<Handover>> handovers = Map.of();

  private int periodSeconds;

  /** Takes the demands after each measurement. */
  private Consumer<List<SwitchDemand>> onMeasured = measured -> {};

  /** Counts changes of the configuration; what was scheduled under an earlier one is void. */
  private int series;

  private volatile List<SwitchDemand> demands = List.of();

  /**
   * @param installed what the switches hold, by id
   * @param count asks a switch what its rules have counted
   */
  public TrafficMeter(
      EngineLoop loop,
      Nib nib,
      Supplier<Map<String, SwitchTables>> installed,
      Function<String, CompletableFuture<Collection<RuleCount>>> count) {
    this.loop = loop;
    this.nib = nib;
    this.installed = installed;
    this.count = count;
  }

  /** What is known now, by switch; empty while nothing is measured. Safe for many threads. */
  public List<SwitchDemand> demands() {
    return demands;
  }

  /** How long ago a switch was asked for what is known of it. Safe for many threads. */
  public long ageNanos(SwitchDemand demand) {
    return loop.nanoTime() - demand.sampledAtNanos();
  }

  /** Sets the listener for each measurement, on the loop. To be called before the first. */
  public void onMeasured(Consumer<List<SwitchDemand>> observer) {
    onMeasured = observer;
  }

  /** Applies a configuration; restarts the measurement if its settings have changed. */
  public void follow(EngineConfig config) {
    int newPeriod = config.measuresTraffic() ? config.traffic().periodSeconds() : NEVER;
    if (newPeriod != periodSeconds) {
      periodSeconds = newPeriod;
      series++;
      rates.clear();
      asked.clear();
      demands = List.of();
      askAllIn(series);
    }
  }

  public void close() {
    series++;
  }

  private void askAllIn(int ofSeries) {
    if (ofSeries == series && periodSeconds != NEVER) {
      askAll();
      loop.schedule(() -> askAllIn(ofSeries), periodSeconds * SECOND_NANOS);
    }
  }

  private void askAll() {
    Snapshot snapshot = nib.snapshot();
    Fabric fabric = snapshot.fabric();
    Map<Ipv4Prefix, String> owners = owners(fabric);
    sources = new HashSet<>(owners.values());
    handovers = handovers(snapshot, owners);
    if (!asked.isEmpty()) {
      publish(); // Somebody has not answered the time before.
    }
    Set<String> all = new HashSet<>(sources);
    all.addAll(handovers.keySet());
    rates.keySet().retainAll(all);
    for (String id : all) {
      if (snapshot.isPresent(id) && asked.add(id)) {
        ask(id);
      }
    }
  }

  private static Map<Ipv4Prefix, String> owners(Fabric fabric) {
    Map<Ipv4Prefix, String> owners = new HashMap<>();
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      owners.put(fabric.subnetPrefix(subnet), fabric.switchId(fabric.subnetSwitch(subnet)));
    }
    return owners;
  }

  private Map<String, List<Handover>> handovers(Snapshot snapshot, Map<Ipv4Prefix, String> owners) {
    Map<String, List<Handover>> all = new HashMap<>();
    installed
        .get()
        .forEach(
            (id, tables) -> {
              int s = snapshot.physical().indexOf(id);
              List<Handover> own =
                  s < 0 ? List.of() : Handover.of(snapshot.physical(), s, tables, owners, sources);
              if (!own.isEmpty()) {
                all.put(id, own);
              }
            });
    return all;
  }

  private void ask(String id) {
    int ofSeries = series;
    long atNanos = loop.nanoTime();
    count
        .apply(id)
        .whenComplete(
            (counts, problem) ->
                loop.execute(
                    () -> {
                      if (ofSeries == series) {
                        asked.remove(id);
                        if (problem == null) {
                          ratesOf(id).sample(counts, atNanos);
                        }
                        if (asked.isEmpty()) {
                          publish();
                        }
                      }
                    }));
  }

  private RuleRates ratesOf(String id) {
    long timeConstantNanos = SECOND_NANOS * TIME_CONSTANT_PERIODS * periodSeconds;
    return rates.computeIfAbsent(id, any -> new RuleRates(timeConstantNanos));
  }

  private void publish() {
    SortedMap<String, SortedMap<Ipv4Prefix, Double>> own = new TreeMap<>();
    rates.forEach(
        (id, ofSwitch) -> {
          if (sources.contains(id)) {
            own.put(id, ofSwitch.bps());
          }
        });
    handovers.forEach(
        (id, ofSwitch) -> {
          RuleRates from = rates.get(id);
          for (Handover handover : from == null ? List.<Handover>of() : ofSwitch) {
            double passedOn = handover.share * from.bps(handover.prefix);
            own.getOrDefault(handover.neighbour, new TreeMap<>())
                .computeIfPresent(handover.prefix, (p, bps) -> Math.max(0, bps - passedOn));
          }
        });
    List<SwitchDemand> all = new ArrayList<>();
    own.forEach((id, bps) -> all.add(new SwitchDemand(id, bps, rates.get(id).sampledAtNanos())));
    demands = List.copyOf(all);
    onMeasured.accept(demands);
  }
}
