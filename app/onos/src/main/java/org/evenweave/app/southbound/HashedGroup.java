package org.evenweave.app.southbound;

import java.util.List;
import org.evenweave.openflow.LargeTable;
import org.projectfloodlight.openflow.protocol.OFBucket;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFGroupDelete;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupMod;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.action.OFActionNiciraMove;
import org.projectfloodlight.openflow.protocol.action.OFActionSetField;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFMetadata;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.U64;

/**
 * The group that leads to a {@link LargeTable}, instead of its stand-in. ONOS's openflowj has both
 * actions of Open vSwitch's own (ovs-actions(7)) that it takes:
 *
 * <pre>
 *   set_field:ID &lt;&lt; 16-&gt;metadata,move:NXM_NX_DP_HASH[0..k-1]-&gt;OXM_OF_METADATA[0..k-1],resubmit(,20)
 * </pre>
 */
final class HashedGroup {
  /** Class 1, field 35, four bytes. */
  private static final long DP_HASH = 0x0001_4604L;

  /** Class basic, field 2, eight bytes. */
  private static final long METADATA = 0x8000_0408L;

  /** OFPP_IN_PORT in 16 bits: the packet keeps the port that it came by. */
  private static final int IN_PORT = 0xfff8;

  private static final long SLOT = (1L << LargeTable.SLOT_BITS) - 1;

  private HashedGroup() {}

  /** The real group of a stand-in; any other message as it is. */
  static OFMessage toSwitch(OFFactory of, OFMessage message) {
    if (!(message instanceof OFGroupMod)
        || message instanceof OFGroupDelete
        || ((OFGroupMod) message).getGroupType() != OFGroupType.INDIRECT) {
      return message;
    }
    OFGroupMod mod = (OFGroupMod) message;
    OFActionSetField set = (OFActionSetField) mod.getBuckets().get(0).getActions().get(0);
    long metadata = ((OFMetadata) set.getField().getValue()).getValue().getValue();
    return mod.createBuilder()
        .setGroupType(OFGroupType.SELECT)
        .setBuckets(List.of(bucket(of, metadata & ~SLOT, (int) (metadata & SLOT))))
        .build();
  }

  /**
   * The stand-in of a group that a switch describes; any other group as it is, but one of the
   * stand-in's type as one of a type that is never ours.
   */
  static OFGroupDescStatsEntry fromSwitch(OFGroupDescStatsEntry entry) {
    OFFactory of = OFFactories.getFactory(entry.getVersion());
    int bits = movedBits(entry);
    long metadata =
        Integer.toUnsignedLong(entry.getGroup().getGroupNumber()) << LargeTable.SLOT_BITS;
    if (bits > 0 && entry.getBuckets().equals(List.of(bucket(of, metadata, bits)))) {
      OFBucket standIn = unwatched(of).setActions(List.of(set(of, metadata | bits))).build();
      return of.buildGroupDescStatsEntry()
          .setGroup(entry.getGroup())
          .setGroupType(OFGroupType.INDIRECT)
          .setBuckets(List.of(standIn))
          .build();
    }
    return entry.getGroupType() == OFGroupType.INDIRECT
        ? of.buildGroupDescStatsEntry()
            .setGroup(entry.getGroup())
            .setGroupType(OFGroupType.ALL)
            .setBuckets(entry.getBuckets())
            .build()
        : entry;
  }

  /** How many bits the second action of a group's only bucket moves; 0 if it is another group. */
  private static int movedBits(OFGroupDescStatsEntry entry) {
    if (entry.getGroupType() != OFGroupType.SELECT || entry.getBuckets().size() != 1) {
      return 0;
    }
    List<OFAction> actions = entry.getBuckets().get(0).getActions();
    boolean moves = actions.size() == 3 && actions.get(1) instanceof OFActionNiciraMove;
    int bits = moves ? ((OFActionNiciraMove) actions.get(1)).getNBits() : 0;
    return bits <= LargeTable.SLOT_BITS ? bits : 0;
  }

  private static OFBucket bucket(OFFactory of, long metadata, int bits) {
    return unwatched(of)
        .setWeight(1)
        .setActions(
            List.of(
                set(of, metadata),
                of.actions()
                    .buildNiciraMove()
                    .setNBits(bits)
                    .setSrcOfs(0)
                    .setDstOfs(0)
                    .setSrc(DP_HASH)
                    .setDst(METADATA)
                    .build(),
                of.actions().niciraResubmitTable(IN_PORT, (short) LargeTable.SLOTS_TABLE)))
        .build();
  }

  private static OFBucket.Builder unwatched(OFFactory of) {
    return of.buildBucket().setWatchPort(OFPort.ANY).setWatchGroup(OFGroup.ANY);
  }

  private static OFAction set(OFFactory of, long metadata) {
    return of.actions().setField(of.oxms().metadata(OFMetadata.of(U64.of(metadata))));
  }
}
