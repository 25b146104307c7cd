package org.evenweave.openflow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.evenweave.engine.port.SelectGroup;
import org.projectfloodlight.openflow.protocol.OFBucket;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupMod;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.action.OFActionGroup;
import org.projectfloodlight.openflow.protocol.action.OFActionOutput;
import org.projectfloodlight.openflow.protocol.action.OFActionSetField;
import org.projectfloodlight.openflow.protocol.instruction.OFInstruction;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionApplyActions;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFMetadata;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/**
 * The entries of Open vSwitch that make up a {@linkplain SelectGroup#isLarge large table} of 2^k
 * slots:
 *
 * <pre>
 *   group ID     SELECT, one bucket: metadata = ID &lt;&lt; 16 | k bits of the hash, to table 20
 *   table 20     metadata = ID &lt;&lt; 16 | slot  -&gt; the group of the slot's port
 *   group of p   FAST_FAILOVER: p, and while p is dead the next live port of the table
 * </pre>
 *
 * <p>The metadata are set by actions of Open vSwitch's own, which not every openflowj has. So the
 * group ID is a stand-in here: type INDIRECT, and one action that sets the metadata to ID &lt;&lt;
 * 16 | k. A runtime exchanges it for the real group in what it sends and receives; a group of type
 * INDIRECT that a switch really has must not come through.
 */
public final class LargeTable {
  /** The table of the rules for slots. Nothing else leads to it. */
  public static final int SLOTS_TABLE = 20;

  /** The slot's part of the metadata. */
  public static final int SLOT_BITS = 16;

  /**
   * How many ids can be those of large tables: so many from the first that a runtime has, so that
   * their ports' groups have ids of their own.
   */
  static final int MAX_TABLES = 0xfff;

  /** The greatest port number, for the same reason. */
  private static final int MAX_PORT = 0xffff;

  /** All rules for slots have the same; no two of them match the same packet. */
  static final int PRIORITY = 1;

  /** With the id of a table and the number of a port, the id of the port's group. */
  private static final int PORT_GROUPS = 0x2000_0000;

  private static final int PORT_BITS = 16;

  private LargeTable() {}

  /**
   * Why a large table has no such entries, or null.
   *
   * @param firstId the first group id of the runtime, 1 more than a multiple of 4096
   */
  public static String problem(SelectGroup table, int firstId) {
    if (!isTableId(table.id(), firstId)) {
      return "the id of a large table is at most " + SelectGroup.idText(firstId + MAX_TABLES - 1);
    }
    if (!table.isSlotTable()) {
      return table.bucketCount() + " slots are no size of a large table";
    }
    if (table.memberCount() > GroupCodec.MAX_BUCKETS) {
      return table.memberCount() + " ports; a large table has at most " + GroupCodec.MAX_BUCKETS;
    }
    int lastPort = table.memberPort(table.memberCount() - 1);
    return table.memberPort(0) < 1 || lastPort > MAX_PORT
        ? "ports " + table.memberPort(0) + " to " + lastPort + " are not in 1.." + MAX_PORT
        : null;
  }

  /** Whether a group id can be that of a large table. */
  static boolean isTableId(long id, int firstId) {
    return id >= firstId && id < firstId + MAX_TABLES;
  }

  /** Whether a group is one of a port of a large table. */
  public static boolean isPortGroup(int groupId) {
    return groupId >>> 28 == PORT_GROUPS >>> 28;
  }

  /** The group of a port of a table. */
  static int portGroup(int tableId, int port) {
    return PORT_GROUPS | (tableId & MAX_TABLES) << PORT_BITS | port;
  }

  static int portOf(int portGroup) {
    return portGroup & MAX_PORT;
  }

  /** A port, and those that replace it while it is dead: the next ones in turn. */
  static int[] failover(int[] members, int port) {
    int at = Arrays.binarySearch(members, port);
    int[] order = new int[members.length];
    Arrays.setAll(order, i -> members[(at + i) % members.length]);
    return order;
  }

  static OFGroupMod complete(
      OFFactory of, OFGroupMod.Builder builder, int tableId, int[] failover, long xid) {
    List<OFBucket> buckets = new ArrayList<>(failover.length);
    for (int number : failover) {
      OFPort port = OFPort.of(number);
      buckets.add(
          of.buildBucket()
              .setWatchPort(port)
              .setWatchGroup(OFGroup.ANY)
              .setActions(List.of(of.actions().output(port, 0)))
              .build());
    }
    return builder
        .setXid(xid)
        .setGroupType(OFGroupType.FF)
        .setGroup(OFGroup.of(portGroup(tableId, failover[0])))
        .setBuckets(buckets)
        .build();
  }

  /** The ports of a port's group in the order in which they are tried; empty if it is not ours. */
  static Optional<int[]> failoverOf(OFGroupDescStatsEntry entry) {
    int[] ports = entry.getBuckets().stream().mapToInt(LargeTable::watchedOutput).toArray();
    boolean ours =
        entry.getGroupType() == OFGroupType.FF
            && ports.length > 0
            && ports[0] == portOf(entry.getGroup().getGroupNumber())
            && Arrays.stream(ports).noneMatch(port -> port == FlowCodec.NO_PORT);
    return ours ? Optional.of(ports) : Optional.empty();
  }

  private static int watchedOutput(OFBucket bucket) {
    List<OFAction> actions = bucket.getActions();
    if (actions.size() != 1 || !(actions.get(0) instanceof OFActionOutput)) {
      return FlowCodec.NO_PORT;
    }
    OFPort port = ((OFActionOutput) actions.get(0)).getPort();
    return port.equals(bucket.getWatchPort()) ? port.getPortNumber() : FlowCodec.NO_PORT;
  }

  /** The stand-in for the group that leads to the table. */
  static OFGroupMod complete(
      OFFactory of, OFGroupMod.Builder builder, SelectGroup table, long xid) {
    int bits = Integer.numberOfTrailingZeros(table.bucketCount());
    long metadata = metadata(table.id(), bits);
    OFAction set = of.actions().setField(of.oxms().metadata(OFMetadata.of(U64.of(metadata))));
    OFBucket bucket =
        of.buildBucket()
            .setWatchPort(OFPort.ANY)
            .setWatchGroup(OFGroup.ANY)
            .setActions(List.of(set))
            .build();
    return builder
        .setXid(xid)
        .setGroupType(OFGroupType.INDIRECT)
        .setGroup(OFGroup.of(table.id()))
        .setBuckets(List.of(bucket))
        .build();
  }

  /** How many slots a group leads to; empty if it leads to no large table. */
  static OptionalInt slotsOf(OFGroupDescStatsEntry entry) {
    if (entry.getGroupType() != OFGroupType.INDIRECT) {
      return OptionalInt.empty();
    }
    OFActionSetField set = (OFActionSetField) entry.getBuckets().get(0).getActions().get(0);
    long metadata = ((OFMetadata) set.getField().getValue()).getValue().getValue();
    return OptionalInt.of(1 << (int) (metadata & 0xffff));
  }

  static long metadata(int tableId, int slot) {
    return (long) tableId << SLOT_BITS | slot;
  }

  static Match slot(OFFactory of, int tableId, int slot) {
    return of.buildMatch()
        .setExact(MatchField.METADATA, OFMetadata.of(U64.of(metadata(tableId, slot))))
        .build();
  }

  /**
   * The match of some slots.
   *
   * @param first a multiple of {@code count}
   * @param count a power of two
   */
  static Match slots(OFFactory of, int tableId, int first, int count) {
    return of.buildMatch()
        .setMasked(
            MatchField.METADATA,
            OFMetadata.of(U64.of(metadata(tableId, first))),
            OFMetadata.of(U64.of(-(long) count)))
        .build();
  }

  static List<OFInstruction> toPort(OFFactory of, int tableId, int port) {
    return List.of(
        of.instructions()
            .applyActions(List.of(of.actions().group(OFGroup.of(portGroup(tableId, port))))));
  }

  /** The metadata that a rule for a slot matches; empty of any other rule. */
  static Optional<Long> metadataOf(OFFlowStatsEntry entry) {
    Match match = entry.getMatch();
    int fields = 0;
    for (MatchField<?> field : match.getMatchFields()) {
      fields += field.equals(MatchField.METADATA) ? 1 : 2;
    }
    return entry.getTableId().equals(TableId.of(SLOTS_TABLE))
            && entry.getPriority() == PRIORITY
            && fields == 1
            && match.isExact(MatchField.METADATA)
        ? Optional.of(match.get(MatchField.METADATA).getValue().getValue())
        : Optional.empty();
  }

  /** The group that a rule for a slot leads to, or 0. */
  static int groupOf(OFFlowStatsEntry entry) {
    List<OFInstruction> instructions = entry.getInstructions();
    if (instructions.size() != 1 || !(instructions.get(0) instanceof OFInstructionApplyActions)) {
      return 0;
    }
    List<OFAction> actions = ((OFInstructionApplyActions) instructions.get(0)).getActions();
    return actions.size() == 1 && actions.get(0) instanceof OFActionGroup
        ? ((OFActionGroup) actions.get(0)).getGroup().getGroupNumber()
        : 0;
  }
}
