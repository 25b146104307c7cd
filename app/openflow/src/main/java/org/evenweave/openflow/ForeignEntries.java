package org.evenweave.openflow;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.evenweave.engine.foreign.ForeignAction;
import org.evenweave.engine.foreign.ForeignGroup;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.headers.HeaderClass;
import org.evenweave.engine.headers.HeaderField;

/**
 * Flow and group entries as switches describe them in OpenFlow 1.3 (sections 7.3.5.2 and 7.3.5.9),
 * installed by any controller: with any match, and with actions that no library knows. Read from
 * the bytes, so that nothing of them is refused.
 */
public final class ForeignEntries {
  /** Length, table, padding, duration, priority, time-outs, flags, padding, cookie, counters. */
  private static final int MATCH_AT = 48;

  private static final int TABLE_AT = 2;
  private static final int PRIORITY_AT = 12;
  private static final int COOKIE_AT = 24;
  private static final int MATCH_HEADER_BYTES = 4;

  private static final int GROUP_HEADER_BYTES = 8;
  private static final int BUCKET_HEADER_BYTES = 16;

  private static final int GOTO_TABLE = 1;
  private static final int WRITE_METADATA = 2;
  private static final int WRITE_ACTIONS = 3;
  private static final int APPLY_ACTIONS = 4;
  private static final int CLEAR_ACTIONS = 5;
  private static final int METER = 6;
  private static final int INSTRUCTION_HEADER_BYTES = 8;

  /** IPV6_EXTHDR, the last field that OpenFlow 1.3 has. */
  private static final int LAST_BASIC_FIELD = 39;

  private static final int BASIC_CLASS = 0x8000;

  private ForeignEntries() {}

  /** The cookie of a flow entry. */
  public static long cookie(ByteBuffer entry) {
    return entry.getLong(entry.position() + COOKIE_AT);
  }

  /**
   * A flow entry.
   *
   * @param entry between its position and its limit
   * @param priorityOffset of Evenweave's entries, above {@link
   *     org.evenweave.engine.port.FlowRule#priority}
   * @throws IllegalArgumentException if lengths in it contradict each other
   */
  public static ForeignRule rule(ByteBuffer entry, int priorityOffset) {
    ByteBuffer bytes = entry.slice();
    int priority = Short.toUnsignedInt(at(bytes, PRIORITY_AT, 2).getShort(PRIORITY_AT));
    ForeignRule.Builder rule =
        new ForeignRule.Builder()
            .table(Byte.toUnsignedInt(bytes.get(TABLE_AT)))
            .priority(priority, priority - priorityOffset)
            .cookie(at(bytes, COOKIE_AT, Long.BYTES).getLong(COOKIE_AT));
    int matchBytes = matchBytes(bytes);
    byte[] wire = new byte[matchBytes];
    part(bytes, MATCH_AT, matchBytes).get(wire);
    rule.match(
        match(part(bytes, MATCH_AT + MATCH_HEADER_BYTES, matchBytes - MATCH_HEADER_BYTES)), wire);
    for (ByteBuffer instruction : instructions(bytes, matchBytes)) {
      addInstruction(rule, instruction);
    }
    return rule.build();
  }

  private static int matchBytes(ByteBuffer bytes) {
    int length = Short.toUnsignedInt(at(bytes, MATCH_AT + 2, 2).getShort(MATCH_AT + 2));
    if (length < MATCH_HEADER_BYTES) {
      throw new IllegalArgumentException("a match of " + length + " bytes");
    }
    return length;
  }

  private static List<ByteBuffer> instructions(ByteBuffer bytes, int matchBytes) {
    int from = MATCH_AT + (matchBytes + 7) / 8 * 8;
    return ForeignActions.parts(part(bytes, from, bytes.limit() - from));
  }

  private static HeaderClass match(ByteBuffer fields) {
    HeaderClass match = HeaderClass.ALL;
    while (fields.hasRemaining()) {
      MatchBytes field = MatchBytes.next(fields);
      if (field.fits()) {
        HeaderClass both =
            match.with(
                field.number(), field.high(), field.low(), field.maskHigh(), field.maskLow());
        // A field that occurs twice with other values would match nothing; switches refuse it.
        match = both == null ? match : both;
      }
    }
    return match;
  }

  private static void addInstruction(ForeignRule.Builder rule, ByteBuffer instruction) {
    int type = Short.toUnsignedInt(instruction.getShort(0));
    switch (type) {
      case GOTO_TABLE:
        rule.gotoTable(Byte.toUnsignedInt(at(instruction, 4, 1).get(4)));
        break;
      case WRITE_METADATA:
        long value = at(instruction, 8, 16).getLong(8);
        long mask = instruction.getLong(16);
        rule.apply(
            ForeignAction.setField(
                HeaderField.METADATA,
                0,
                value,
                0,
                mask,
                "write_metadata:0x" + Long.toHexString(value)));
        break;
      case WRITE_ACTIONS:
        ForeignActions.read(actions(instruction)).forEach(rule::write);
        break;
      case APPLY_ACTIONS:
        ForeignActions.read(actions(instruction)).forEach(rule::apply);
        break;
      case CLEAR_ACTIONS:
        rule.clearWritten();
        break;
      case METER:
        // A meter may drop what is above its rate.
        rule.apply(
            ForeignAction.unknown(
                "meter:" + Integer.toUnsignedString(at(instruction, 4, 4).getInt(4))));
        break;
      default:
        rule.apply(ForeignAction.unknown("instruction 0x" + Integer.toHexString(type)));
        break;
    }
  }

  private static ByteBuffer actions(ByteBuffer instruction) {
    return part(
        instruction, INSTRUCTION_HEADER_BYTES, instruction.limit() - INSTRUCTION_HEADER_BYTES);
  }

  /**
   * Whether a flow entry has only what OpenFlow 1.3 itself defines, which any library can read.
   *
   * @throws IllegalArgumentException as {@link #rule}
   */
  public static boolean isOrdinary(ByteBuffer entry) {
    ByteBuffer bytes = entry.slice();
    int matchBytes = matchBytes(bytes);
    ByteBuffer fields = part(bytes, MATCH_AT + MATCH_HEADER_BYTES, matchBytes - MATCH_HEADER_BYTES);
    while (fields.hasRemaining()) {
      if (!isOrdinary(MatchBytes.next(fields))) {
        return false;
      }
    }
    for (ByteBuffer instruction : instructions(bytes, matchBytes)) {
      int type = Short.toUnsignedInt(instruction.getShort(0));
      boolean hasActions = type == WRITE_ACTIONS || type == APPLY_ACTIONS;
      if (type > METER || (hasActions && !ForeignActions.areOrdinary(actions(instruction)))) {
        return false;
      }
    }
    return true;
  }

  static boolean isOrdinary(MatchBytes field) {
    return field.oxmClass() == BASIC_CLASS && field.field() <= LAST_BASIC_FIELD;
  }

  /**
   * A group.
   *
   * @param entry as {@link #rule}
   * @throws IllegalArgumentException as {@link #rule}
   */
  public static ForeignGroup group(ByteBuffer entry) {
    ByteBuffer bytes = entry.slice();
    ForeignGroup.Type[] types = ForeignGroup.Type.values();
    int type = Byte.toUnsignedInt(at(bytes, 2, 1).get(2));
    int id = at(bytes, 4, 4).getInt(4);
    List<ForeignGroup.Bucket> buckets = new ArrayList<>();
    for (int at = GROUP_HEADER_BYTES; at < bytes.limit(); ) {
      int length = Short.toUnsignedInt(at(bytes, at, BUCKET_HEADER_BYTES).getShort(at));
      ByteBuffer actions = part(bytes, at + BUCKET_HEADER_BYTES, length - BUCKET_HEADER_BYTES);
      buckets.add(new ForeignGroup.Bucket(bytes.getInt(at + 4), ForeignActions.read(actions)));
      at += length;
    }
    ForeignGroup.Type known = type < types.length ? types[type] : ForeignGroup.Type.UNKNOWN;
    return new ForeignGroup(id, known, buckets);
  }

  /** The same bytes, if there are so many from a place on. */
  private static ByteBuffer at(ByteBuffer bytes, int from, int count) {
    if (count < 0 || from + count > bytes.limit()) {
      throw new IllegalArgumentException("an entry that ends before its parts do");
    }
    return bytes;
  }

  private static ByteBuffer part(ByteBuffer bytes, int from, int count) {
    ByteBuffer part = at(bytes, from, count).duplicate();
    part.position(from);
    part.limit(from + count);
    return part.slice();
  }
}
