package org.evenweave.standalone.openflow;

import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.ver13.OFFactoryVer13;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/** What every part of the channel agrees on: the protocol version and the marks of ownership. */
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

  static final int FIRST_GROUP = 1;

  /**
   * The groups from {@link #FIRST_GROUP} to this are Evenweave's. OpenFlow groups have no cookie,
   * so ownership is a range of ids: the engine hands over no others, and groups outside it are
   * neither shown nor touched, but those of the ports of large tables.
   */
  static final int LAST_GROUP = 0x0fff_ffff;

  private OpenFlow13() {}

  /** Whether a group id is Evenweave's. */
  static boolean isOurs(int groupId) {
    return groupId >= FIRST_GROUP && groupId <= LAST_GROUP;
  }

  /** Asks for the rules with the engine's cookie, in one table or in all, and their counters. */
  static OFMessage rulesRequest(long xid, TableId table) {
    return FACTORY
        .buildFlowStatsRequest()
        .setXid(xid)
        .setTableId(table)
        .setOutPort(OFPort.ANY)
        .setOutGroup(OFGroup.ANY)
        .setCookie(ENGINE_COOKIE)
        .setCookieMask(EXACT_COOKIE)
        .build();
  }
}
