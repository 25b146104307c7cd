package org.evenweave.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowDelete;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupAdd;
import org.projectfloodlight.openflow.protocol.OFGroupDelete;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupMod;
import org.projectfloodlight.openflow.protocol.OFGroupModify;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.OFMetadata;

/** What a switch does with the messages of a large table, as OpenFlow 1.3 (6.4 and 6.7) says. */
final class LargeTableSwitch {
  private static final OFFactory OF = OFFactories.getFactory(OFVersion.OF_13);

  private final Map<Integer, OFGroupDescStatsEntry> groups = new HashMap<>();

  /** By metadata. */
  private final Map<Long, OFFlowStatsEntry> rules = new HashMap<>();

  void perform(List<OperationStep> steps) {
    steps.forEach(step -> perform(Bytes.carried(step.message(OF, 1))));
  }

  private void perform(OFMessage message) {
    if (message instanceof OFFlowAdd) {
      OFFlowStatsEntry rule = TableEntry.of((OFFlowAdd) message);
      assertTrue(groups.containsKey(LargeTable.groupOf(rule)), "BAD_OUT_GROUP");
      rules.put(LargeTable.metadataOf(rule).get(), rule);
    } else if (message instanceof OFFlowDelete) {
      long value;
      long mask;
      OFFlowDelete delete = (OFFlowDelete) message;
      assertTrue(delete.getMatch().isPartiallyMasked(MatchField.METADATA));
      OFMetadata masked = delete.getMatch().getMasked(MatchField.METADATA).getValue();
      value = masked.getValue().getValue();
      mask = delete.getMatch().getMasked(MatchField.METADATA).getMask().getValue().getValue();
      rules.keySet().removeIf(metadata -> (metadata & mask) == value);
    } else if (message instanceof OFGroupDelete) {
      int id = ((OFGroupMod) message).getGroup().getGroupNumber();
      groups.remove(id);
      rules.values().removeIf(rule -> LargeTable.groupOf(rule) == id);
    } else {
      OFGroupMod mod = (OFGroupMod) message;
      int id = mod.getGroup().getGroupNumber();
      assertTrue(mod instanceof OFGroupAdd || mod instanceof OFGroupModify);
      assertEquals(mod instanceof OFGroupModify, groups.containsKey(id), "group " + id);
      groups.put(id, TableEntry.of(mod));
    }
  }

  /** In the reverse order of ids, which is any order. */
  void describe(LargeTableReader reader) {
    List<Integer> ids = new ArrayList<>(groups.keySet());
    ids.sort((a, b) -> Integer.compare(b, a));
    ids.forEach(id -> reader.add(groups.get(id)));
    rules.values().forEach(rule -> assertTrue(reader.add(rule)));
  }

  /** The port that a packet leaves by; every port is live. */
  int portOf(int tableId, int hash) {
    int slots = LargeTable.slotsOf(groups.get(tableId)).getAsInt();
    OFFlowStatsEntry rule = rules.get(LargeTable.metadata(tableId, hash % slots));
    return LargeTable.failoverOf(groups.get(LargeTable.groupOf(rule))).get()[0];
  }

  void forgetRule(int tableId, int slot) {
    rules.remove(LargeTable.metadata(tableId, slot));
  }

  boolean hasRules() {
    return !rules.isEmpty();
  }

  boolean isEmpty() {
    return groups.isEmpty() && rules.isEmpty();
  }

  Set<Integer> groupIds() {
    return groups.keySet();
  }
}
