package org.evenweave.engine.forwarding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.wcmp.fabric.LeaveOut;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.fitting.NativeTable;
import org.evenweave.wcmp.fitting.ReplicatedTable;
import org.evenweave.wcmp.realisation.GroupRequest;
import org.evenweave.wcmp.realisation.Realisation;
import org.evenweave.wcmp.realisation.SlotLayout;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.TableTooSmallException;
import org.evenweave.wcmp.reduction.WeightVector;

/**
 * Chooses the buckets of groups: slots in Open vSwitch, with few changes to the installed ones; one
 * weighted bucket per port in hardware. In a fabric of equal pods most switches need the same
 * groups, so each distinct layout is computed once. Not thread-safe.
 */
final class BucketAllocator {
  /** Stands for the slots of a group that has weighted buckets instead. */
  private static final int WEIGHTED = -1;

  /** Layouts kept from one event to the next; a fabric of equal pods needs few. */
  private static final int MAX_LAYOUTS = 4096;

  /** Slots and buckets of all of them; large tables have many. */
  private static final long MAX_BUCKETS = (long) MAX_LAYOUTS * SwitchTarget.MAX_SLOTS;

  private final Ratio limit;
  private final LeaveOut leaveOut;
  private final Map<LayoutKey, GroupLayout> layouts = new HashMap<>();

  /** By target, limits and weights, those of groups with one bucket a port in one table. */
  private final Map<List<Object>, List<int[]>> fits = new HashMap<>();

  private long buckets;
  private long nanos;

  /** A group laid out, and one object for it under each id. */
  static final class GroupLayout {
    final Realisation realisation;
    final SelectGroup buckets;
    private final Map<Integer, SelectGroup> groupOfId = new HashMap<>();

    private GroupLayout(Realisation realisation, SelectGroup buckets) {
      this.realisation = realisation;
      this.buckets = buckets;
    }

    SelectGroup group(int id) {
      return groupOfId.computeIfAbsent(id, buckets::withId);
    }
  }

  private static final class LayoutKey {
    final int[] ports;
    final long[] weights;
    final SlotLayout layout;
    final int slots;
    final int minNextHops;
    final SelectGroup installed;
    private final int hash;

    LayoutKey(
        int[] ports,
        long[] weights,
        SlotLayout layout,
        int slots,
        int minNextHops,
        SelectGroup installed) {
      this.ports = ports;
      this.weights = weights;
      this.layout = layout;
      this.slots = slots;
      this.minNextHops = minNextHops;
      this.installed = installed;
      int ofInstalled = installed == null ? 0 : installed.bucketsHash();
      int ofGroup = Arrays.hashCode(ports) * 31 + Arrays.hashCode(weights);
      hash = (ofGroup * 31 + layout.ordinal() * 257 + slots) * 31 + ofInstalled;
    }

    @Override
    public boolean equals(Object other) {
      if (!(other instanceof LayoutKey)) {
        return false;
      }
      LayoutKey that = (LayoutKey) other;
      return hash == that.hash
          && layout == that.layout
          && slots == that.slots
          && minNextHops == that.minNextHops
          && Arrays.equals(ports, that.ports)
          && Arrays.equals(weights, that.weights)
          && (installed == that.installed
              || (installed != null
                  && that.installed != null
                  && installed.hasBucketsOf(that.installed)));
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /**
   * @param limit on the oversubscription, at least 1
   * @param leaveOut whether groups may leave ports out, of switches that do not say so themselves
   */
  BucketAllocator(Ratio limit, LeaveOut leaveOut) {
    this.limit = limit;
    this.leaveOut = leaveOut;
  }

  Ratio limit() {
    return limit;
  }

  LeaveOut leaveOut() {
    return leaveOut;
  }

  /** How long all computations since the last call took. */
  long takeNanos() {
    long taken = nanos;
    nanos = 0;
    return taken;
  }

  /**
   * @param ports distinct; kept, as {@code weights} are
   * @param weights aligned with {@code ports}
   * @param slots a power of two
   * @param minNextHops as in {@link LeaveOut#minNextHops}
   * @param installed the group that the new one replaces, or null
   */
  GroupLayout realise(
      int[] ports,
      long[] weights,
      SlotLayout layout,
      int slots,
      int minNextHops,
      SelectGroup installed) {
    return cached(
        new LayoutKey(ports, weights, layout, slots, minNextHops, installed),
        () -> {
          boolean large = slots > SwitchTarget.MAX_SLOTS;
          Realisation realisation =
              target(large)
                  .ofSize(
                      new GroupRequest(ports, weights, limit, layout, minNextHops),
                      slots,
                      installed == null
                          ? null
                          : target(installed.isLarge())
                              .realise(installed.ports(), installed.weights()));
          int[] owners = realisation.bucketPorts();
          return new GroupLayout(
              realisation,
              large ? SelectGroup.largeTable(0, owners) : SelectGroup.ofSlots(0, owners));
        });
  }

  private static SwitchTarget target(boolean large) {
    return large ? SwitchTarget.OVS_LARGE_TABLES : SwitchTarget.OVS_UNIT_BUCKETS;
  }

  /**
   * The weights of groups that have one bucket a port in one table.
   *
   * @param target {@linkplain SwitchTarget#isWeighted weighted}
   * @param minNextHops as in {@link LeaveOut#minNextHops}
   * @throws TableTooSmallException as {@link ReplicatedTable#weights}
   */
  List<int[]> fit(List<SharedGroup> groups, SwitchTarget target, Limits limits, int minNextHops) {
    long began = System.nanoTime();
    List<Object> key = new ArrayList<>(2 * groups.size() + 3);
    key.add(target);
    key.add(limits);
    key.add(minNextHops);
    for (SharedGroup group : groups) {
      key.add(WeightVector.of(group.ideal.weights()));
      key.add(group.factor);
    }
    List<int[]> known = fits.get(key);
    if (known == null) {
      List<ReplicatedTable.Request> requests = new ArrayList<>();
      for (SharedGroup group : groups) {
        // A float's 24 bits keep the terms of exact levels small, and are more than tables resolve.
        Ratio factor = Ratio.of(Math.max(1, (float) group.factor));
        requests.add(new ReplicatedTable.Request(group.ideal.weights(), factor));
      }
      known = weights(requests, target, limits, minNextHops);
      if (fits.size() == MAX_LAYOUTS) {
        fits.clear();
      }
      fits.put(key, known);
    }
    nanos += System.nanoTime() - began;
    return known;
  }

  private List<int[]> weights(
      List<ReplicatedTable.Request> requests, SwitchTarget target, Limits limits, int minNextHops) {
    return target.countsBuckets()
        ? NativeTable.weights(
            requests,
            limits.entries(),
            limits.groupEntries(),
            limits.of(Limits.Kind.MAX_WEIGHT),
            limits.of(Limits.Kind.MAX_TOTAL_WEIGHT),
            minNextHops)
        : ReplicatedTable.weights(
            requests, limits.entries(), limits.groupEntries(), limit, minNextHops);
  }

  /**
   * A group of one weighted bucket a port.
   *
   * @param members distinct
   * @param memberWeights of each member port; those with none are left out
   */
  GroupLayout weighted(int[] members, int[] memberWeights) {
    int[] kept = IntStream.range(0, members.length).filter(i -> memberWeights[i] > 0).toArray();
    int[] ports = IntStream.of(kept).map(i -> members[i]).toArray();
    int[] entries = IntStream.of(kept).map(i -> memberWeights[i]).toArray();
    long[] weights = Arrays.stream(entries).asLongStream().toArray();
    return cached(
        new LayoutKey(ports, weights, SlotLayout.CONTIGUOUS, WEIGHTED, ports.length, null),
        () ->
            new GroupLayout(
                SwitchTarget.REPLICATED_ENTRIES.realise(ports, entries),
                new SelectGroup(0, ports, entries)));
  }

  private GroupLayout cached(LayoutKey key, Supplier<GroupLayout> maker) {
    long began = System.nanoTime();
    GroupLayout known = layouts.get(key);
    if (known == null) {
      known = maker.get();
      int more = known.buckets.bucketCount();
      if (layouts.size() == MAX_LAYOUTS || buckets + more > MAX_BUCKETS) {
        layouts.clear();
        buckets = 0;
      }
      layouts.put(key, known);
      buckets += more;
    }
    nanos += System.nanoTime() - began;
    return known;
  }
}
