package org.evenweave.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.evenweave.engine.port.SelectGroup;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFBucket;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFGroupDelete;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupMod;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;

class GroupCodecTest {
  private static final OFFactory OF = OFFactories.getFactory(OFVersion.OF_13);
  private static final SelectGroup CHANGED =
      new SelectGroup(5, new int[] {FlowCodec.NO_PORT}, new int[] {1});

  @Provide
  Arbitrary<SelectGroup> groups() {
    return Any.groups(1, Integer.MAX_VALUE);
  }

  @Property(tries = 200)
  void aGroupSurvivesTheWireToTheTableAndBack(@ForAll("groups") SelectGroup group) {
    for (OFGroupMod mod : List.of(GroupCodec.add(OF, group, 1), GroupCodec.modify(OF, group, 1))) {
      OFGroupDescStatsEntry entry = carried(TableEntry.of(Bytes.carried(mod)));
      assertEquals(group, GroupCodec.read(entry));
    }
  }

  @Test
  void everyBucketWatchesItsOwnPort() {
    OFGroupMod mod = Bytes.carried(GroupCodec.add(OF, Any.group(5, 1, 2, 3), 1));
    for (OFBucket bucket : mod.getBuckets()) {
      assertEquals(List.of(OF.actions().output(bucket.getWatchPort(), 0)), bucket.getActions());
      assertEquals(OFGroup.ANY, bucket.getWatchGroup());
    }
  }

  @Test
  void aDeletionNamesTheGroup() {
    OFGroupMod mod = Bytes.carried(GroupCodec.delete(OF, 5, 9));
    assertInstanceOf(OFGroupDelete.class, mod);
    assertEquals(5, mod.getGroup().getGroupNumber());
    assertEquals(9, mod.getXid());
  }

  @Test
  void theLargestGroupFitsOneMessage() {
    int[] slots = new int[GroupCodec.MAX_BUCKETS];
    Arrays.fill(slots, 1);
    assertTrue(Bytes.length(GroupCodec.add(OF, SelectGroup.ofSlots(5, slots), 1)) <= 0xffff);
  }

  @Test
  void aGroupThatSomeoneChangedEqualsNoneOfAPlan() {
    OFBucket good = bucket();
    List<OFBucket> bad =
        List.of(
            good.createBuilder().setActions(List.of()).build(),
            good.createBuilder().setActions(List.of(OF.actions().decNwTtl())).build());
    for (OFBucket bucket : bad) {
      OFGroupDescStatsEntry entry = entry(OFGroupType.SELECT, good, bucket);
      assertEquals(CHANGED, GroupCodec.read(entry));
    }
    assertEquals(CHANGED, GroupCodec.read(entry(OFGroupType.ALL, good)));
    assertEquals(CHANGED, GroupCodec.read(entry(OFGroupType.SELECT)));
    assertEquals(Any.group(5, 1), GroupCodec.read(entry(OFGroupType.SELECT, good)));
  }

  @Test
  void aGroupWithABucketThatDoesNotWatchItsPortIsUnwatched() {
    SelectGroup group = Any.group(5, 1);
    for (OFPort watched : List.of(OFPort.of(2), OFPort.ANY)) {
      OFBucket bucket = bucket().createBuilder().setWatchPort(watched).build();
      SelectGroup read = GroupCodec.read(entry(OFGroupType.SELECT, bucket));
      assertEquals(group.unwatched(), read);
      assertNotEquals(group, read);
      assertEquals("group 0x5: port 1 has 1 of 1, not all watched", read.toString());
    }
  }

  private static OFBucket bucket() {
    return GroupCodec.add(OF, Any.group(5, 1), 1).getBuckets().get(0);
  }

  private static OFGroupDescStatsEntry entry(OFGroupType type, OFBucket... buckets) {
    return carried(
        OF.buildGroupDescStatsEntry()
            .setGroup(OFGroup.of(5))
            .setGroupType(type)
            .setBuckets(List.of(buckets))
            .build());
  }

  private static OFGroupDescStatsEntry carried(OFGroupDescStatsEntry entry) {
    return Bytes.carried(OF.buildGroupDescStatsReply().setEntries(List.of(entry)).build())
        .getEntries()
        .get(0);
  }
}
