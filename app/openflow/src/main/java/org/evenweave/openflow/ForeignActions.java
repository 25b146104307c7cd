package org.evenweave.openflow;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.evenweave.engine.foreign.ForeignAction;
import org.evenweave.engine.headers.HeaderClass;
import org.evenweave.engine.headers.HeaderField;

/**
 * Actions of OpenFlow 1.3 (section 7.2.5), and of Open vSwitch those that decide where packets go
 * in a way that can be told (its ofp-actions.c). All others are kept by name, as unknown.
 */
final class ForeignActions {
  private static final int HEADER_BYTES = 4;
  private static final int MIN_BYTES = 8;

  private static final int OUTPUT = 0;
  private static final int PUSH_VLAN = 17;
  private static final int POP_VLAN = 18;
  private static final int GROUP = 22;
  private static final int SET_FIELD = 25;
  private static final int EXPERIMENTER = 0xffff;

  /** Queues and TTLs. */
  private static final Map<Integer, String> NEUTRAL =
      Map.of(
          11, "copy_ttl_out",
          12, "copy_ttl_in",
          15, "set_mpls_ttl",
          16, "dec_mpls_ttl",
          21, "set_queue",
          23, "mod_nw_ttl",
          24, "dec_ttl");

  private static final Map<Integer, String> UNKNOWN =
      Map.of(
          19, "push_mpls",
          20, "pop_mpls",
          26, "push_pbb",
          27, "pop_pbb",
          28, "copy_field",
          29, "meter");

  /** The last action of OpenFlow 1.3. */
  private static final int LAST_ORDINARY = 27;

  private static final int NICIRA = 0x2320;
  private static final int NICIRA_LOAD = 7;
  private static final int NICIRA_RESUBMIT_TABLE = 14;

  private static final Map<Integer, String> NICIRA_NEUTRAL =
      Map.of(4, "set_queue", 5, "pop_queue", 8, "note", 18, "dec_ttl");

  private static final Map<Integer, String> NICIRA_NAMES =
      Map.ofEntries(
          Map.entry(1, "resubmit"),
          Map.entry(6, "move"),
          Map.entry(9, "set_tunnel64"),
          Map.entry(10, "multipath"),
          Map.entry(12, "bundle"),
          Map.entry(13, "bundle_load"),
          Map.entry(15, "output:reg"),
          Map.entry(16, "learn"),
          Map.entry(17, "exit"),
          Map.entry(20, "controller"),
          Map.entry(29, "sample"),
          Map.entry(35, "ct"),
          Map.entry(36, "nat"));

  /** OFPP_IN_PORT in 16 bits: the packet keeps the port that it came by. */
  private static final int SAME_PORT = 0xfff8;

  /** OFPVID_PRESENT: what an empty tag is. */
  private static final int VLAN_PRESENT = 0x1000;

  private static final int VLAN_BITS = 0x1fff;

  private ForeignActions() {}

  /**
   * Cuts a list of actions or instructions.
   *
   * @throws IllegalArgumentException if one is longer than what is left
   */
  static List<ByteBuffer> parts(ByteBuffer list) {
    List<ByteBuffer> parts = new ArrayList<>();
    while (list.hasRemaining()) {
      int start = list.position();
      int length =
          list.remaining() < HEADER_BYTES ? 0 : Short.toUnsignedInt(list.getShort(start + 2));
      if (length < MIN_BYTES || length > list.remaining()) {
        throw new IllegalArgumentException("an action or instruction of " + length + " bytes");
      }
      ByteBuffer part = list.duplicate();
      part.limit(start + length);
      parts.add(part.slice());
      list.position(start + length);
    }
    return parts;
  }

  static List<ForeignAction> read(ByteBuffer list) {
    List<ForeignAction> actions = new ArrayList<>();
    parts(list).forEach(action -> actions.add(read(type(action), action)));
    return actions;
  }

  /** Whether OpenFlow 1.3 defines all of them. */
  static boolean areOrdinary(ByteBuffer list) {
    for (ByteBuffer action : parts(list)) {
      int type = type(action);
      if (type > LAST_ORDINARY) {
        return false;
      }
      if (type == SET_FIELD) {
        MatchBytes field = field(action);
        if (field.isMasked() || !ForeignEntries.isOrdinary(field)) {
          return false;
        }
      }
    }
    return true;
  }

  private static int type(ByteBuffer action) {
    return Short.toUnsignedInt(action.getShort(0));
  }

  private static MatchBytes field(ByteBuffer action) {
    ByteBuffer field = action.duplicate();
    field.position(HEADER_BYTES);
    return MatchBytes.next(field);
  }

  private static ForeignAction read(int type, ByteBuffer action) {
    switch (type) {
      case OUTPUT:
        return ForeignAction.output(action.getInt(HEADER_BYTES));
      case GROUP:
        return ForeignAction.group(action.getInt(HEADER_BYTES));
      case PUSH_VLAN:
        return setVlan(VLAN_PRESENT, "push_vlan");
      case POP_VLAN:
        return setVlan(0, "pop_vlan");
      case SET_FIELD:
        return setField(field(action));
      case EXPERIMENTER:
        return ofVendor(action);
      default:
        String name = UNKNOWN.getOrDefault(type, "action " + type);
        return NEUTRAL.containsKey(type)
            ? ForeignAction.neutral(NEUTRAL.get(type))
            : ForeignAction.unknown(name);
    }
  }

  private static ForeignAction setVlan(int value, String text) {
    return ForeignAction.setField(HeaderField.VLAN_VID, 0, value, 0, VLAN_BITS, text);
  }

  private static ForeignAction setField(MatchBytes field) {
    if (!field.fits() || NiciraFields.mayOverlapOthers(field.oxmClass(), field.field())) {
      return ForeignAction.unknown("set_field:" + HeaderField.name(field.number()));
    }
    return set(field.number(), field.high(), field.low(), field.maskHigh(), field.maskLow());
  }

  private static ForeignAction set(int field, long high, long low, long maskHigh, long maskLow) {
    HeaderClass written = HeaderClass.ALL.with(field, high, low, maskHigh, maskLow);
    return ForeignAction.setField(field, high, low, maskHigh, maskLow, "set_field:" + written);
  }

  private static ForeignAction ofVendor(ByteBuffer action) {
    int vendor = action.getInt(HEADER_BYTES);
    boolean isNicira = vendor == NICIRA && action.limit() >= 16;
    int subtype = isNicira ? Short.toUnsignedInt(action.getShort(8)) : -1;
    if (subtype == NICIRA_RESUBMIT_TABLE) {
      int port = Short.toUnsignedInt(action.getShort(10));
      int table = Byte.toUnsignedInt(action.get(12));
      return port == SAME_PORT && table < 0xff
          ? ForeignAction.resubmit(table)
          : ForeignAction.unknown("resubmit(" + port + "," + table + ")");
    }
    if (subtype == NICIRA_LOAD && action.limit() >= 24) {
      return load(action);
    }
    if (NICIRA_NEUTRAL.containsKey(subtype)) {
      return ForeignAction.neutral(NICIRA_NEUTRAL.get(subtype));
    }
    String name = "action " + subtype + " of Open vSwitch";
    return ForeignAction.unknown(
        isNicira
            ? NICIRA_NAMES.getOrDefault(subtype, name)
            : "action of vendor 0x" + Integer.toHexString(vendor));
  }

  /** Writes some bits of a field: their offset and number, the field, the value. */
  private static ForeignAction load(ByteBuffer action) {
    int place = Short.toUnsignedInt(action.getShort(10));
    int offset = place >>> 6;
    int bits = (place & 0x3f) + 1;
    int header = action.getInt(12);
    int oxmClass = header >>> 16;
    int field = header >>> 9 & 0x7f;
    if (offset + bits > Long.SIZE || NiciraFields.mayOverlapOthers(oxmClass, field)) {
      return ForeignAction.unknown("load");
    }
    long mask = (-1L >>> (Long.SIZE - bits)) << offset;
    return set(NiciraFields.number(oxmClass, field), 0, action.getLong(16) << offset, 0, mask);
  }
}
