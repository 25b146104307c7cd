package org.evenweave.openflow;

import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupMod;
import org.projectfloodlight.openflow.protocol.OFVersion;

/** The entry of a switch's table that a message makes, as the switch describes it. */
public final class TableEntry {
  private static final OFFactory OF = OFFactories.getFactory(OFVersion.OF_13);

  private TableEntry() {}

  public static OFFlowStatsEntry of(OFFlowMod mod) {
    return OF.buildFlowStatsEntry()
        .setTableId(mod.getTableId())
        .setPriority(mod.getPriority())
        .setCookie(mod.getCookie())
        .setMatch(mod.getMatch())
        .setInstructions(mod.getInstructions())
        .build();
  }

  public static OFGroupDescStatsEntry of(OFGroupMod mod) {
    return OF.buildGroupDescStatsEntry()
        .setGroup(mod.getGroup())
        .setGroupType(mod.getGroupType())
        .setBuckets(mod.getBuckets())
        .build();
  }
}
