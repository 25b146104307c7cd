package org.evenweave.standalone.openflow;

import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowStatsRequest;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.ver13.OFFactoryVer13;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/** Constants of the channel: the protocol version and the marks of ownership. */
final class OpenFlow13 {
  /** The version on the wire. */
  static final int WIRE_VERSION = 4;

  /** Length of the header that starts every message, in bytes. */
  static final int HEADER_BYTES = 8;

  static final int TYPE_HELLO = 0;
  static final int TYPE_ERROR = 1;

  static final int TYPE_GROUP_MOD = 15;

  static final int GROUP_ALL = 0;
  static final int GROUP_SELECT = 1;
  static final int GROUP_INDIRECT = 2;

  /** Named directly, so that no other version's classes are loaded (or shipped). */
  static final OFFactory FACTORY = OFFactoryVer13.INSTANCE;

  /** Cookie of the rules the engine owns: "evenweav" in ASCII. */
  static final U64 ENGINE_COOKIE = U64.of(0x6576_656e_7765_6176L);

  /** Compares every bit of a cookie. */
  static final U64 EXACT_COOKIE = U64.NO_MASK;

  /** "EW" and a number, as the application for ONOS has it. */
  static final int FIRST_GROUP = 0x4557_0001;

  /**
   * The groups from {@link #FIRST_GROUP} to this are Evenweave's. OpenFlow groups have no cookie,
   * so ownership is a range of ids, far from the small ones that operators take: the engine hands
   * over no others, and groups outside it are left alone, but those of the ports of large tables.
   */
  static final int LAST_GROUP = 0x4557_ffff;

  private OpenFlow13() {}

  /** Whether a group id is Evenweave's. */
  static boolean isOurs(int groupId) {
    return groupId >= FIRST_GROUP && groupId <= LAST_GROUP;
  }

  /** Asks for the routing rules with the engine's cookie, and their counters. */
  static OFMessage ownRulesRequest(long xid) {
    return rulesRequest(xid, TableId.ZERO)
        .setCookie(ENGINE_COOKIE)
        .setCookieMask(EXACT_COOKIE)
        .build();
  }

  /** Asks for all rules in all tables. */
  static OFMessage allRulesRequest(long xid) {
    return rulesRequest(xid, TableId.ALL).build();
  }

  private static OFFlowStatsRequest.Builder rulesRequest(long xid, TableId table) {
    return FACTORY
        .buildFlowStatsRequest()
        .setXid(xid)
        .setTableId(table)
        .setOutPort(OFPort.ANY)
        .setOutGroup(OFGroup.ANY);
  }
}
