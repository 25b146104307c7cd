package org.evenweave.wcmp.realisation;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.evenweave.wcmp.reduction.SizeSearch;
import org.evenweave.wcmp.reduction.TableTooSmallException;

/**
 * A way to have a switch hold a WCMP group: what the switch really does with a group ({@link
 * #realise}), and which group to send it for given ideal weights ({@link #choose}).
 *
 * <p><b>The choice.</b> A table that is installed keeps its size if that size can be within the
 * limit, for a change of size moves flows; its counts become those within the limit that move the
 * fewest slots ({@link LeastChurn}), and the new table is grown out of the old one ({@link
 * SlotLayout}). Otherwise the smallest size within the limit is taken, and where there is none, the
 * size with the least oversubscription. So a realisation exceeds the limit only where the switch
 * allows nothing better, and reports it: {@link Realisation#oversubscription}.
 */
public enum SwitchTarget {
  /**
   * Hardware with a table of replicated entries: a group takes as many entries as its weights sum
   * to, and a bucket of weight w is w entries side by side (Tewari 2015, Figure 3.3). Where the
   * layout is to be ours it is sent one bucket of weight 1 per entry; the engine sends one bucket a
   * port, weighted, as {@link org.evenweave.wcmp.fitting.ReplicatedTable} has it.
   */
  REPLICATED_ENTRIES("replicated") {
    @Override
    public Realisation realise(int[] bucketPorts, int[] bucketWeights) {
      int[] bucketOfSlot =
          IntStream.range(0, bucketWeights.length)
              .flatMap(i -> IntStream.range(0, bucketWeights[i]).map(entry -> i))
              .toArray();
      return Realisation.ofSlots(bucketPorts, bucketWeights, bucketOfSlot);
    }

    @Override
    public boolean canHold(int slots, int entries) {
      return slots <= entries;
    }

    @Override
    int size(GroupRequest request, int entries) {
      SizeSearch search = new SizeSearch(request.ideal(), request.guaranteed());
      int smallest = search.smallestWithin(request.limit(), 1, entries);
      return smallest != SizeSearch.NONE ? smallest : search.bestUpTo(entries);
    }
  },

  /**
   * Hardware that has the weight of each member port as a number: a member takes one entry,
   * whatever its weight. It is sent one bucket a port.
   */
  NATIVE_WEIGHTS("native") {
    @Override
    public Realisation realise(int[] bucketPorts, int[] bucketWeights) {
      return REPLICATED_ENTRIES.realise(bucketPorts, bucketWeights);
    }

    @Override
    public boolean canHold(int slots, int entries) {
      return slots <= OpenVSwitchGroup.MAX_WEIGHT;
    }

    @Override
    int size(GroupRequest request, int entries) {
      if (request.leastPorts() > entries) {
        throw new TableTooSmallException(entries, request.leastPorts());
      }
      return REPLICATED_ENTRIES.size(request, OpenVSwitchGroup.MAX_WEIGHT);
    }

    @Override
    Realisation ofCounts(GroupRequest request, int[] counts, SlotTable installed) {
      return realise(request.ports(), counts);
    }
  },

  /**
   * Open vSwitch with 2^k buckets of weight 1, 16 to 256 of them: slot i is bucket i ({@link
   * OpenVSwitchGroup}), so that it is a replicated table too, and changing the port of one bucket
   * moves one slot. The target of choice for Open vSwitch.
   */
  OVS_UNIT_BUCKETS("ovs") {
    @Override
    public Realisation realise(int[] bucketPorts, int[] bucketWeights) {
      return OpenVSwitchGroup.realise(bucketPorts, bucketWeights);
    }

    @Override
    public boolean canHold(int slots, int entries) {
      return OpenVSwitchGroup.isTableSize(slots, MAX_SLOTS) && slots <= entries;
    }

    @Override
    int size(GroupRequest request, int entries) {
      return OpenVSwitchGroup.tableSize(request, entries, MAX_SLOTS);
    }
  },

  /**
   * Open vSwitch with a table of 2^k rules, 16 to 65,536 of them, in which a packet is looked up by
   * k bits of its hash: a replicated table as well, nearer to the ideal weights than 256 slots are.
   */
  OVS_LARGE_TABLES("ovs-large") {
    @Override
    public Realisation realise(int[] bucketPorts, int[] bucketWeights) {
      return REPLICATED_ENTRIES.realise(bucketPorts, bucketWeights);
    }

    @Override
    public boolean canHold(int slots, int entries) {
      return OpenVSwitchGroup.isTableSize(slots, MAX_LARGE_SLOTS) && slots <= entries;
    }

    @Override
    int size(GroupRequest request, int entries) {
      return OpenVSwitchGroup.tableSize(request, entries, MAX_LARGE_SLOTS);
    }
  },

  /**
   * Open vSwitch with one weighted bucket per port, or one more: few buckets and exact shares, at
   * the price of churn, since Webster's method lays the slots out again at every change.
   *
   * <p>Counts of n slots, sent as weights, come back exactly if Open vSwitch makes its table of n
   * slots: always for 16, else only if one weight is 1. So where no count is 1, one slot of the
   * first port is split off as a bucket of its own.
   */
  OVS_WEIGHTED_BUCKETS(null) {
    @Override
    public Realisation realise(int[] bucketPorts, int[] bucketWeights) {
      return OpenVSwitchGroup.realise(bucketPorts, bucketWeights);
    }

    @Override
    public boolean canHold(int slots, int entries) {
      return OpenVSwitchGroup.isTableSize(slots, MAX_SLOTS) && slots <= entries;
    }

    @Override
    int size(GroupRequest request, int entries) {
      return OpenVSwitchGroup.tableSize(request, entries, MAX_SLOTS);
    }

    /** The layout is not ours to choose, so of all sizes the one that happens to move least. */
    @Override
    public Realisation choose(GroupRequest request, int entries, Realisation installed) {
      Realisation best = ofSize(request, size(request, entries), installed);
      if (installed == null || installed.slots() == null) {
        return best;
      }
      if (request.isMetBy(installed)) {
        return installed;
      }
      for (int slots = OpenVSwitchGroup.MIN_SLOTS; canHold(slots, entries); slots *= 2) {
        if (request.countsWithin(slots, installed.slots()) != null) {
          Realisation candidate = ofSize(request, slots, installed);
          boolean movesLess = installed.moved(candidate).compareTo(installed.moved(best)) < 0;
          best = movesLess ? candidate : best;
        }
      }
      return best;
    }

    @Override
    Realisation ofCounts(GroupRequest request, int[] counts, SlotTable installed) {
      int[] ports = request.ports();
      boolean hasOne = Arrays.stream(counts).anyMatch(count -> count == 1);
      if (hasOne || Arrays.stream(counts).sum() == OpenVSwitchGroup.MIN_SLOTS) {
        return realise(ports, counts);
      }
      int[] bucketPorts = Arrays.copyOf(ports, ports.length + 1);
      int[] weights = Arrays.copyOf(counts, counts.length + 1);
      bucketPorts[ports.length] = ports[0];
      weights[ports.length] = 1;
      weights[0]--;
      return realise(bucketPorts, weights);
    }
  };

  /** The most slots of a group in Open vSwitch that is one table of buckets. */
  public static final int MAX_SLOTS = OpenVSwitchGroup.MAX_SLOTS;

  /** The most slots of a table of rules: as many bits of the hash are looked up. */
  public static final int MAX_LARGE_SLOTS = 1 << 16;

  /** What Open vSwitch calls its hardware in OFPMP_DESC. */
  private static final String OPEN_VSWITCH = "Open vSwitch";

  private final String configName;

  SwitchTarget(String configName) {
    this.configName = configName;
  }

  /** The name in the fabric file; null for a way that no fabric file may ask for. */
  public String configName() {
    return configName;
  }

  /** Whether the engine sends a group as one bucket a port, with the port's weight. */
  public boolean isWeighted() {
    return this == REPLICATED_ENTRIES || this == NATIVE_WEIGHTS;
  }

  /** Whether a bucket takes one entry whatever its weight; elsewhere it takes its weight. */
  public boolean countsBuckets() {
    return this == NATIVE_WEIGHTS;
  }

  /**
   * The target that a fabric file calls so.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static SwitchTarget named(String configName) {
    return Arrays.stream(values())
        .filter(target -> configName.equals(target.configName))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no target \"" + configName + "\""));
  }

  /**
   * The target of a switch that says what it is: OpenFlow's own meaning of weights, except in Open
   * vSwitch.
   *
   * @param hardware its description in OFPMP_DESC ({@code hw_desc}); empty where it says nothing,
   *     and then it is taken for Open vSwitch
   */
  public static SwitchTarget ofHardware(String hardware) {
    return hardware.isEmpty() || hardware.contains(OPEN_VSWITCH)
        ? OVS_UNIT_BUCKETS
        : REPLICATED_ENTRIES;
  }

  /**
   * What the switch does with a group.
   *
   * @param bucketPorts output port of each bucket in list order
   * @param bucketWeights weight of each bucket, not negative; for Open vSwitch at most 65535, for
   *     hardware not all 0
   */
  public abstract Realisation realise(int[] bucketPorts, int[] bucketWeights);

  /** Whether the switch can keep a table of so many slots with so many entries. */
  public abstract boolean canHold(int slots, int entries);

  /** The smallest size within the limit; where there is none, the one nearest to it. */
  abstract int size(GroupRequest request, int entries);

  /**
   * The group to send.
   *
   * @param entries multipath table entries there are for it; a slot takes one
   * @param installed what the switch holds for it now, or null
   * @throws TableTooSmallException if the entries do not suffice for one slot per port that cannot
   *     be left out
   */
  public Realisation choose(GroupRequest request, int entries, Realisation installed) {
    int size = size(request, entries);
    SlotTable now = installed == null ? null : installed.slots();
    boolean keepsSize =
        now != null
            && canHold(now.size(), entries)
            && request.countsWithin(now.size(), now) != null;
    return ofSize(request, keepsSize ? now.size() : size, installed);
  }

  /**
   * The group to send where the size of its table is decided already.
   *
   * @param slots of its table; for Open vSwitch a power of two from 16 to 256, or to 65,536 in a
   *     large table
   * @param installed what the switch holds for it now, or null
   * @throws TableTooSmallException if there are fewer slots than ports that cannot be left out
   */
  public Realisation ofSize(GroupRequest request, int slots, Realisation installed) {
    if (!canHold(slots, slots)) {
      throw new IllegalArgumentException(
          "slots is " + slots + "; Open vSwitch's tables have a power of two, 16 or more");
    }
    SlotTable now = installed == null ? null : installed.slots();
    int[] within = request.countsWithin(slots, now);
    return ofCounts(request, within != null ? within : request.nearestCounts(slots), now);
  }

  /** The group whose ports have so many slots each. */
  Realisation ofCounts(GroupRequest request, int[] counts, SlotTable installed) {
    int[] owners = request.layOut(counts, installed);
    int[] ones = new int[owners.length];
    Arrays.fill(ones, 1);
    return realise(owners, ones);
  }
}
