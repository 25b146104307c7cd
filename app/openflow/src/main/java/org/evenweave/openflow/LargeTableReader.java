package org.evenweave.openflow;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.evenweave.engine.port.SelectGroup;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;

/**
 * Puts the {@link LargeTable}s of a switch together again from what it describes, in any order.
 *
 * <p>A slot whose rule is missing, or leads elsewhere, is read as one of {@link FlowCodec#NO_PORT},
 * so that an audit writes it again. So is the first slot of a table that works and yet is not as it
 * was written: rules beyond its slots are left, or a port's group has other ports to fail over to.
 */
public final class LargeTableReader {
  private static final int MAX_SLOTS = 1 << LargeTable.SLOT_BITS;

  private final int firstId;

  /** By table, how many slots the group leads to. */
  private final Map<Integer, Integer> sizes = new HashMap<>();

  /** By table, the group that the rule for each slot leads to; 0 without one. */
  private final Map<Integer, int[]> rules = new HashMap<>();

  private final Map<Integer, int[]> failovers = new HashMap<>();
  private int ruleCount;

  /**
   * @param firstId the first group id of the runtime, as {@link LargeTable#problem}
   */
  public LargeTableReader(int firstId) {
    this.firstId = firstId;
  }

  /** Takes a group, if it is part of a large table. */
  public boolean add(OFGroupDescStatsEntry entry) {
    int id = entry.getGroup().getGroupNumber();
    if (LargeTable.isPortGroup(id)) {
      LargeTable.failoverOf(entry).ifPresent(ports -> failovers.put(id, ports));
      return true;
    }
    OptionalInt slots = LargeTable.slotsOf(entry);
    slots.ifPresent(count -> sizes.put(id, count));
    return slots.isPresent();
  }

  /** Takes a rule, if it is one for a slot. */
  public boolean add(OFFlowStatsEntry entry) {
    Optional<Long> metadata = LargeTable.metadataOf(entry);
    if (metadata.isEmpty()
        || !LargeTable.isTableId(metadata.get() >>> LargeTable.SLOT_BITS, firstId)) {
      return false;
    }
    int table = (int) (metadata.get() >>> LargeTable.SLOT_BITS);
    int slot = (int) (metadata.get() & (MAX_SLOTS - 1));
    rules.computeIfAbsent(table, id -> new int[MAX_SLOTS])[slot] = LargeTable.groupOf(entry);
    ruleCount++;
    return true;
  }

  /** How many rules were taken. */
  public int ruleCount() {
    return ruleCount;
  }

  /** Adds the tables by their ids, once everything was taken. */
  public void addTo(Map<Integer, SelectGroup> groups) {
    sizes.forEach((id, size) -> groups.put(id, table(id, size)));
  }

  private SelectGroup table(int id, int size) {
    int[] groupOfSlot = rules.getOrDefault(id, new int[MAX_SLOTS]);
    int[] owners = new int[size];
    Arrays.setAll(owners, slot -> owner(id, groupOfSlot[slot]));
    int[] members =
        Arrays.stream(owners)
            .filter(port -> port != FlowCodec.NO_PORT)
            .sorted()
            .distinct()
            .toArray();
    boolean failsOverAsWritten =
        Arrays.stream(members)
            .allMatch(
                port ->
                    Arrays.equals(
                        failovers.get(LargeTable.portGroup(id, port)),
                        LargeTable.failover(members, port)));
    boolean hasRulesBeyond =
        Arrays.stream(groupOfSlot, size, MAX_SLOTS).anyMatch(group -> group != 0);
    if (!failsOverAsWritten || hasRulesBeyond) {
      owners[0] = FlowCodec.NO_PORT;
    }
    return SelectGroup.largeTable(id, owners);
  }

  /** The port of the slot whose rule leads to a group. */
  private int owner(int id, int group) {
    int port = LargeTable.portOf(group);
    boolean ours = group == LargeTable.portGroup(id, port) && failovers.containsKey(group);
    return ours ? port : FlowCodec.NO_PORT;
  }
}
