package org.evenweave.engine.headers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;

/**
 * A set of packet headers: those in which some bits of some fields have given values (a ternary
 * match, as in Header Space Analysis, Kazemian et al., NSDI 2012). Matches of flow entries are such
 * sets, the intersection of two is one, and their difference is a few disjoint ones. So what a
 * packet of any header meets is computed exactly, with fields that are not known by name too: a
 * field is a number ({@link HeaderField}) and up to 128 bits.
 *
 * <p>Immutable. Fields that are not mentioned may have any value.
 */
public final class HeaderClass {
  /** Every header. */
  public static final HeaderClass ALL = new HeaderClass(new int[0], new long[0]);

  /** Numbers that describe one field: the value's upper and lower half, and the mask's. */
  private static final int LONGS = 4;

  /** In ascending order. */
  private final int[] fields;

  /** {@link #LONGS} of each field; no value has bits that its mask does not have. */
  private final long[] bits;

  private HeaderClass(int[] fields, long[] bits) {
    this.fields = fields;
    this.bits = bits;
  }

  /**
   * The headers of this class whose field has a value in 64 bits.
   *
   * @return null if there are none
   */
  public HeaderClass with(int field, long value, long mask) {
    return with(field, 0, value, 0, mask);
  }

  /**
   * The headers of this class whose field has a value; null if none has.
   *
   * @param field one with a constant in {@link HeaderField}
   */
  public HeaderClass with(int field, long value) {
    return with(field, 0, value, 0, HeaderField.mask(field));
  }

  /**
   * The headers of this class in which the bits of a mask have given values.
   *
   * @param high bits 64 to 127 of the value; {@code maskHigh} those of the mask
   * @return null if there are none
   */
  public HeaderClass with(int field, long high, long low, long maskHigh, long maskLow) {
    int at = Arrays.binarySearch(fields, field);
    if (at < 0) {
      return inserted(-at - 1, field, high & maskHigh, low & maskLow, maskHigh, maskLow);
    }
    int i = at * LONGS;
    long conflict =
        ((bits[i] ^ high) & bits[i + 2] & maskHigh) | ((bits[i + 1] ^ low) & bits[i + 3] & maskLow);
    if (conflict != 0) {
      return null;
    }
    return replaced(
        at,
        bits[i] | (high & maskHigh),
        bits[i + 1] | (low & maskLow),
        bits[i + 2] | maskHigh,
        bits[i + 3] | maskLow);
  }

  private HeaderClass inserted(
      int at, int field, long high, long low, long maskHigh, long maskLow) {
    if ((maskHigh | maskLow) == 0) {
      return this;
    }
    int[] newFields = new int[fields.length + 1];
    System.arraycopy(fields, 0, newFields, 0, at);
    newFields[at] = field;
    System.arraycopy(fields, at, newFields, at + 1, fields.length - at);
    long[] newBits = new long[newFields.length * LONGS];
    System.arraycopy(bits, 0, newBits, 0, at * LONGS);
    System.arraycopy(bits, at * LONGS, newBits, (at + 1) * LONGS, bits.length - at * LONGS);
    put(newBits, at, high, low, maskHigh, maskLow);
    return new HeaderClass(newFields, newBits);
  }

  private HeaderClass replaced(int at, long high, long low, long maskHigh, long maskLow) {
    if ((maskHigh | maskLow) == 0) {
      int[] newFields = new int[fields.length - 1];
      System.arraycopy(fields, 0, newFields, 0, at);
      System.arraycopy(fields, at + 1, newFields, at, newFields.length - at);
      long[] newBits = new long[newFields.length * LONGS];
      System.arraycopy(bits, 0, newBits, 0, at * LONGS);
      System.arraycopy(bits, (at + 1) * LONGS, newBits, at * LONGS, newBits.length - at * LONGS);
      return new HeaderClass(newFields, newBits);
    }
    long[] newBits = bits.clone();
    put(newBits, at, high, low, maskHigh, maskLow);
    return new HeaderClass(fields, newBits);
  }

  private static void put(long[] bits, int at, long high, long low, long maskHigh, long maskLow) {
    bits[at * LONGS] = high;
    bits[at * LONGS + 1] = low;
    bits[at * LONGS + 2] = maskHigh;
    bits[at * LONGS + 3] = maskLow;
  }

  /** The headers in both classes; null if there are none. */
  public HeaderClass and(HeaderClass other) {
    HeaderClass both = this;
    for (int at = 0; at < other.fields.length && both != null; at++) {
      int i = at * LONGS;
      both =
          both.with(
              other.fields[at],
              other.bits[i],
              other.bits[i + 1],
              other.bits[i + 2],
              other.bits[i + 3]);
    }
    return both;
  }

  /** Whether no header is in both classes. */
  public boolean isDisjointFrom(HeaderClass other) {
    int mine = 0;
    for (int at = 0; at < other.fields.length; at++) {
      while (mine < fields.length && fields[mine] < other.fields[at]) {
        mine++;
      }
      if (mine == fields.length) {
        return false;
      }
      int i = mine * LONGS;
      int j = at * LONGS;
      if (fields[mine] == other.fields[at]
          && ((((bits[i] ^ other.bits[j]) & bits[i + 2] & other.bits[j + 2])
                  | ((bits[i + 1] ^ other.bits[j + 1]) & bits[i + 3] & other.bits[j + 3]))
              != 0)) {
        return true;
      }
    }
    return false;
  }

  /** Whether every header of another class is in this one. */
  public boolean contains(HeaderClass other) {
    return other.equals(other.and(this));
  }

  /**
   * The headers of this class that are not in another, as disjoint classes: one for each bit that
   * the other has a value for and this has not.
   */
  public List<HeaderClass> minus(HeaderClass other) {
    if (isDisjointFrom(other)) {
      return List.of(this);
    }
    List<HeaderClass> rest = new ArrayList<>();
    HeaderClass common = this;
    for (int at = 0; at < other.fields.length; at++) {
      int field = other.fields[at];
      int i = at * LONGS;
      long freeHigh = other.bits[i + 2] & ~common.maskHigh(field);
      long freeLow = other.bits[i + 3] & ~common.mask(field);
      while (freeHigh != 0) {
        long bit = Long.highestOneBit(freeHigh);
        freeHigh ^= bit;
        rest.add(common.with(field, ~other.bits[i], 0, bit, 0));
        common = common.with(field, other.bits[i], 0, bit, 0);
      }
      while (freeLow != 0) {
        long bit = Long.highestOneBit(freeLow);
        freeLow ^= bit;
        rest.add(common.with(field, 0, ~other.bits[i + 1], 0, bit));
        common = common.with(field, 0, other.bits[i + 1], 0, bit);
      }
    }
    return rest;
  }

  /** The headers of some classes that are not in another. */
  public static List<HeaderClass> minus(List<HeaderClass> classes, HeaderClass other) {
    List<HeaderClass> rest = new ArrayList<>();
    classes.forEach(each -> rest.addAll(each.minus(other)));
    return rest;
  }

  /**
   * What becomes of the headers of this class when a field is written.
   *
   * @param field one with a constant in {@link HeaderField}
   */
  public HeaderClass set(int field, long value) {
    return set(field, 0, value, 0, HeaderField.mask(field));
  }

  /** What becomes of the headers of this class when bits of a field are written. */
  public HeaderClass set(int field, long high, long low, long maskHigh, long maskLow) {
    return without(field, maskHigh, maskLow).with(field, high, low, maskHigh, maskLow);
  }

  /** The same class with any value of some bits of a field. */
  public HeaderClass without(int field, long maskHigh, long maskLow) {
    int at = Arrays.binarySearch(fields, field);
    if (at < 0) {
      return this;
    }
    int i = at * LONGS;
    return replaced(
        at,
        bits[i] & ~maskHigh,
        bits[i + 1] & ~maskLow,
        bits[i + 2] & ~maskHigh,
        bits[i + 3] & ~maskLow);
  }

  /** The same class with any value of a field. */
  public HeaderClass without(int field) {
    return without(field, -1L, -1L);
  }

  /** The lower 64 bits of a field's value, as far as {@link #mask} says that they are given. */
  public long value(int field) {
    int at = Arrays.binarySearch(fields, field);
    return at < 0 ? 0 : bits[at * LONGS + 1];
  }

  /** Which of the lower 64 bits of a field are given. */
  public long mask(int field) {
    int at = Arrays.binarySearch(fields, field);
    return at < 0 ? 0 : bits[at * LONGS + 3];
  }

  /** Whether the class gives any bit of a field a value. */
  public boolean constrains(int field) {
    return Arrays.binarySearch(fields, field) >= 0;
  }

  private long maskHigh(int field) {
    int at = Arrays.binarySearch(fields, field);
    return at < 0 ? 0 : bits[at * LONGS + 2];
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof HeaderClass
            && Arrays.equals(fields, ((HeaderClass) other).fields)
            && Arrays.equals(bits, ((HeaderClass) other).bits));
  }

  @Override
  public int hashCode() {
    return Objects.hash(Arrays.hashCode(fields), Arrays.hashCode(bits));
  }

  /** As ovs-ofctl writes matches: {@code ip,nw_dst=10.0.2.0/24}; {@code any} for every header. */
  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(",");
    String protocol = HeaderField.protocol(this);
    if (!protocol.isEmpty()) {
      text.add(protocol);
    }
    for (int at = 0; at < fields.length; at++) {
      int i = at * LONGS;
      if (!HeaderField.isInProtocol(fields[at], this)) {
        text.add(HeaderField.text(fields[at], bits[i], bits[i + 1], bits[i + 2], bits[i + 3]));
      }
    }
    return text.length() == 0 ? "any" : text.toString();
  }
}
